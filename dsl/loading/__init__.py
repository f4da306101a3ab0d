"""Loads files and returns programs and problems. No other package opens the files of games."""
