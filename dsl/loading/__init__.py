"""Loads files and returns programs and problems; the only package that opens files of games."""
