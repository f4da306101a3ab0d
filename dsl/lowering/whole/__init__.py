"""Compiles a whole program: all rules, the score, boards, and the size of a state."""
