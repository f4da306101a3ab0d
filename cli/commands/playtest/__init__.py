"""Commands that measure the rules over many matches."""
