"""Commands about many plays: what they say of the rules."""
