"""What is hidden, followed to where it is told."""
