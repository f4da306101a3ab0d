"""Tests rules by means of matches: scenarios, coverage, clauses, counts and leaks."""
