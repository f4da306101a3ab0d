"""Scenarios: their lines, their tree, and the programs that they become."""
