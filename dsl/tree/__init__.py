"""The syntax tree: expressions, statements, declarations."""
