"""Solves small games: strategies for games with hidden information, and exact values for open games."""
