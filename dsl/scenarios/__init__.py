"""Read scenarios and compile them: their lines, their syntax tree, and their programs."""
