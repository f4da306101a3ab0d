"""Runs of many matches: distribute them among processes or machines, collect the results, and write files."""
