"""Bots: how they choose options and value positions."""
