"""The rows of records: written ones, and combinations of values."""
