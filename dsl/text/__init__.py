"""Turn bytes into words: decoded files, sources, and tokens with the blocks formed by their indentation."""
