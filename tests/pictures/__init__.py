"""Pictures: what pages hold, that they tell no secret, and how they look in a browser."""
