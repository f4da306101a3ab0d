"""Turn words into the syntax tree: the grammar, its readers, and messages for unreadable lines."""
