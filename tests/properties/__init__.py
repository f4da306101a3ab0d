"""What must hold of any input."""
