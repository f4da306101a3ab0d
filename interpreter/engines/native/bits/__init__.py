"""Conditions on many numbers at once: a bit for each."""
