"""Determines what a player knows beyond the view: sampled positions, disclosed choices, reasons of values."""
