"""Contains the tools used to lower every construct: the procedures being written, the names in
scope and the cells of values.
"""
