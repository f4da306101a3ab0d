"""Scenarios: their lines, their tree, and their programs."""
