"""The protocol, as another program uses it."""
