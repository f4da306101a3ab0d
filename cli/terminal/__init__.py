"""A play at a terminal: what is shown, what is typed, what is kept."""
