"""The playground: its worker, its files, its page in a browser."""
