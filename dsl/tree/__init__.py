"""What is written, as a tree: expressions, statements, declarations; refuses to know what it means."""
