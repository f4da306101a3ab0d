"""The knowledge of a player beyond the view: guessed positions, disclosed choices, reasons of values."""
