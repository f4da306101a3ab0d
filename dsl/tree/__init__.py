"""Defines the syntax tree: expressions, statements, declarations."""
