"""What every construct is lowered with: procedures being written, names in reach, where values live."""
