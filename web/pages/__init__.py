"""Build pages from tables and views: HTML with everything escaped. Independent of HTTP; all sentences are
in `words`.
"""
