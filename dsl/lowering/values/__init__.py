"""Lowers expressions. An expression is computed without asking a player or waiting for chance."""
