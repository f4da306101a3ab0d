"""Turn bytes into words: decoded files, sources, and tokens with the blocks that their indentation makes."""
