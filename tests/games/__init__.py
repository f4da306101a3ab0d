"""The shipped games: their counts, their rules, their records."""
