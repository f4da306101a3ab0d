"""Questions about a match (why, look, hint, rules), answered in lines of text as far as the asker may know."""
