"""Converts the numbers of a program to texts: names, log lines, score sheets, faults and rejected requests."""
