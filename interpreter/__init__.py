"""The engine: a checked program in; states, decisions and results out. Independent of the text of rules."""
