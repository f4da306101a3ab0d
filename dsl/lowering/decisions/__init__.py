"""Lowers decisions: the offered options, the refused options with reasons, and the steps that follow an answer."""
