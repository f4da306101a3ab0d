"""Adds up matches as plain records, and measures the precision of the sums."""
