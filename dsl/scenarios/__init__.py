"""Handles scenarios: their lines, their tree, and their programs."""
