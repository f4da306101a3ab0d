"""A game at one table: its program, engine and words, and the players' views of a position."""
