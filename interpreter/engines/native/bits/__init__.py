"""Writes code that tests a condition for many numbers at once, with one bit for each number."""
