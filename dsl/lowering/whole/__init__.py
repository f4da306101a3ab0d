"""A whole program: every rule compiled, the score, boards, and how large a state is."""
