"""Digests of the behaviour of every game, to show that a change of the compiler changes nothing else."""
