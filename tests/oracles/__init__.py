"""Models of games in plain Python, written from their rules without any part of Rulewright."""
