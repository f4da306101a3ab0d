"""Numbers of a program in words: names, log lines, score sheets, faults and refused requests."""
