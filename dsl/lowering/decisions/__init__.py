"""Decisions: the options that are offered, those that are refused and why, and the steps after an answer."""
