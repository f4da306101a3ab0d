"""Many playouts between bots: played, watched and added up."""
