"""From words to the written tree: the grammar, its readers, and what is said of lines that cannot be read."""
