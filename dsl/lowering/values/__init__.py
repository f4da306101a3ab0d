"""Lowers expressions: values that can be computed at once, as plain procedures."""
