"""Plays looked at: scenarios, statistics, coverage, clauses, counts, leaks."""
