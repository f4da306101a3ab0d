"""From bytes to words: files decoded, sources, tokens with the blocks their indentation makes."""
