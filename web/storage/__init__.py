"""Tables in a database: their events, the rules they began with, and the addresses for notices."""
