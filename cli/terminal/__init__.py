"""A match at a terminal: output, input and saved matches."""
