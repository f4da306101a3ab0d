"""A whole program: all compiled rules, the score, boards, and the size of a state."""
