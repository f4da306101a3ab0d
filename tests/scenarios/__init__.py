"""Scenarios: what they find in games with one mistake, and what is found in scenarios with one mistake."""
