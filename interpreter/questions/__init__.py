"""Questions about a match, answered in lines of text as far as the one who asks may know: why, look, hint, rules."""
