"""A match at a terminal: what is shown, what is typed, what is kept."""
