"""Runs of many matches: distributed among processes or machines, collected, and written to files."""
