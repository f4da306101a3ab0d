"""The server: tables in memory, their streams, and what answers HTTP."""
