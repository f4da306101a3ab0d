"""Tests conditions on many numbers at once, with a bit for each number."""
