"""Lowers expressions. An expression is computed without asking a player or chance."""
