"""The server: tables in memory, their streams, and the HTTP handlers."""
