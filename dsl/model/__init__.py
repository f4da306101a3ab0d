"""What a game declares, numbered for one number of players and one choice of options: kinds, tables, grids, types."""
