"""Contains the tools that lower every construct: the procedures being written, the names in scope
and the cells of values.
"""
