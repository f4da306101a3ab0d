"""Analyses of a program before code is written for it, and a rewriting that does repeated work of loops once."""
