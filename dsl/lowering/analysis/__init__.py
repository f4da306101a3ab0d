"""What rules can do, read off their text by names before types are known."""
