"""Tests of rules by matches: scenarios, coverage, clauses, counts, leaks."""
