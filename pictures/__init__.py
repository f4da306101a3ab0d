"""Pictures of positions as SVG, drawn from the scene that a player sees."""
