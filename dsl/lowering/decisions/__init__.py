"""Decisions: what is offered, what is refused and why, and what follows from the answer."""
