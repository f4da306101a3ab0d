"""Makes the rows of records: written rows, and combinations of values."""
