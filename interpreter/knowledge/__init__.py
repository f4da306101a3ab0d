"""The knowledge of a player beyond the view: sampled positions, disclosed choices, reasons of values."""
