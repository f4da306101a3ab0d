"""Contains the language: text in, a checked program or problems out. It is independent of running games."""
