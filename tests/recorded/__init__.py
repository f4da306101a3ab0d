"""Digests of what every game does, to see that a change of the compiler changes nothing else."""
