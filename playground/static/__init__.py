"""The static files of the playground: its page, its scripts, its stylesheet."""
