"""Loads files and gives programs and problems; the only package that opens files of games."""
