"""Pages: HTML with everything escaped, from tables and views. It knows no HTTP, and every sentence is in `words`."""
