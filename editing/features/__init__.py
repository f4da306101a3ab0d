"""What an editor asks, answered: plain functions from a game as it stands and a place in it to plain values."""
