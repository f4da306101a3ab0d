"""A table: its events, and the state they lead to. It is independent of storage and HTTP."""
