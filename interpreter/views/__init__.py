"""A compiled game: its program, engine and texts, and the players' views of a position."""
