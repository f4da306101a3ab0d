"""Many matches asked for: shared out over processes or machines, collected, and written to files."""
