"""Follow hidden information to the places where rules show it."""
