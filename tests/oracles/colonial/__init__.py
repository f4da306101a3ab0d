"""A model of Colonial, written from the clauses alone, for comparison with the shipped game.

Independent of the language, the engine and the text of the shipped game; only `comparing` and `mapping` know them.
"""
