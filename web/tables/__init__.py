"""A table: its events, and the state they lead to. Independent of storage and HTTP."""
