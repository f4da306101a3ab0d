"""Variants of the rules of the large games with one small mistake each, and whether a scenario notices it."""
