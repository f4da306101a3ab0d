"""The language: text in, a checked program or problems out; knows nothing of play."""
