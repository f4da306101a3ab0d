"""Generated Python: the everyday engine, written from the core IR; it defines no meaning."""
