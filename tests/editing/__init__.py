"""Requests of editors, with and without the transport."""
