"""Tests rules with matches: scenarios, coverage, clauses, counts, leaks."""
