"""Source spans and diagnostics: problems as values, the list of their codes, and how they are shown."""
