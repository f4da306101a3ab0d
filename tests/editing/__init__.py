"""What an editor asks, without the wire and over it."""
