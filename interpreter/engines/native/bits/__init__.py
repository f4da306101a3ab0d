"""Tests conditions on many numbers together, with a bit for each number."""
