"""Answers questions about a match (why, look, hint, rules) in lines of text, as far as the asker may know."""
