"""The twelve probes: each shows one of the mechanisms that are hardest to say and to run."""
