"""Matches as plain records, their sums, and the precision of these."""
