"""Laws for any input."""
