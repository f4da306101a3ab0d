"""Grammars for highlighting rules in editors, and the building of their packages."""
