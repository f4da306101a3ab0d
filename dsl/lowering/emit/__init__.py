"""Contains the tools with which every construct is lowered: procedures being written, names in
scope, cells of values.
"""
