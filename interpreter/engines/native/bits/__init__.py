"""What is asked of many numbers at once: a bit for each."""
