"""Lowers decisions: the options that are offered, refused options with their reasons, and the steps after an answer."""
