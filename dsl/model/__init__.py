"""Numbers the declarations of a game (kinds, tables, grids, types) for one number of players and
one choice of options.
"""
