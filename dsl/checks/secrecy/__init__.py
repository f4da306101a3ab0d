"""Follow hidden information to the steps where the rules show it."""
