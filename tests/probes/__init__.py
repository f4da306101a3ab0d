"""The twelve probes: each has one mechanism that is especially hard to express and to run."""
