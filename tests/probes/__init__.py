"""The twelve probes: each shows one mechanism that is especially hard to express and to run."""
