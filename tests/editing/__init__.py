"""Requests of editors, with and without the wire."""
