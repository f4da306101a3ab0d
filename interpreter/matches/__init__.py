"""Matches: states and decisions as values, games by name, records and their replay, bots."""
