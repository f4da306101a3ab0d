"""The ways to show results, one module each: text for people, JSON for programs."""
