"""Many playouts between bots: played, watched and summed up."""
