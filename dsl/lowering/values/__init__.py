"""Expressions: what can be worked out at once, as plain procedures."""
