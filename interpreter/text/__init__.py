"""Numbers of a program in words: names, told lines, sheets of scores, faults and refused requests."""
