"""Plays as plain records, what many of them add up to, and how sure that is."""
