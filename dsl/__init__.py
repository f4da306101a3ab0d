"""The language: text in, a checked program or problems out; independent of running games."""
