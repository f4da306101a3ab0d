"""Scenarios: failures in games with one mistake, and messages for scenarios with one mistake."""
