"""Represents matches: states and decisions, games by name, and records and their replay."""
