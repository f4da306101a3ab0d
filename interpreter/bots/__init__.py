"""Implements bots: how they choose options and value positions."""
