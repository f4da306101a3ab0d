"""Pages: HTML with everything escaped, from tables and views. Independent of HTTP; all sentences are in `words`."""
