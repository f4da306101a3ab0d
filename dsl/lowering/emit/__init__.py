"""Contains the tools that lower every construct: procedures being written, names in scope, cells of values."""
