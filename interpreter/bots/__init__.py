"""Players that need no person: how they choose, and how they value positions."""
