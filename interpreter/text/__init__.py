"""Writes the texts for numbers of a program: names, log lines, score sheets, faults and refused requests."""
