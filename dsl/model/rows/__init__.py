"""The rows of records: as they are written, and as combinations of values."""
