"""Plays many playouts between bots, watches them and sums them up."""
