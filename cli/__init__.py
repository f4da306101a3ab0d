"""The command line: the only part that reads arguments, files and clocks, and that writes output."""
