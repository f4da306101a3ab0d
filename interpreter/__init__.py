"""Runs checked programs: states, decisions and results of matches. It does not depend on the text of rules."""
