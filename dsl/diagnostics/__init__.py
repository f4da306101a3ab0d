"""Source spans and diagnostics: problems as values, the list of their codes, and the ways to show them."""
