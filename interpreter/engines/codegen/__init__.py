"""Generated Python: the default engine, generated from the core IR; it does not define the meaning."""
