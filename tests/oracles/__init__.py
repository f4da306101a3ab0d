"""Games once more, in plain Python, from their rules; nothing of Rulewright is used here."""
