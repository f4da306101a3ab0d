"""Analyses of a program before code generation, and a rewriting that moves repeated work out of loops."""
