"""The shipped games, one `.game` file each with its tables; holds no code."""
