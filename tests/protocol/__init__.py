"""The protocol, as another program meets it."""
