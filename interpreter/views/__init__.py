"""A game at one table: its program, engine and words, and what a player sees of a position."""
