"""What is written, as a tree: expressions, statements, declarations."""
