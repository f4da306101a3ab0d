"""Commands about many matches: what they say of the rules."""
