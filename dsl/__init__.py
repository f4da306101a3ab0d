"""Contains the language, which turns text into a checked program or problems. It is independent of running games."""
