"""From words to the syntax tree: the grammar, its readers, and messages for unreadable lines."""
