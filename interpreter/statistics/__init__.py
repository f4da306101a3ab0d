"""Matches as plain records, their sums, and how certain these are."""
