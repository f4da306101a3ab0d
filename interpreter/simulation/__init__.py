"""Plays many playouts between bots, and records and adds up the results."""
