"""Defines source spans and diagnostics: problems as values, the list of their codes, and how problems are shown."""
