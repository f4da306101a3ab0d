"""Pictures: the contents of pages, their secrecy, and their look in a browser."""
