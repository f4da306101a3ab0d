"""Analyses a program before code generation, and moves repeated work out of loops."""
