"""Analyses rules from the names in their text, before types are known."""
