"""The files of the playground as they are sent: its page, its scripts, its stylesheet."""
