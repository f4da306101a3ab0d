"""Players that need no person: who chooses, and how what may come is weighed."""
