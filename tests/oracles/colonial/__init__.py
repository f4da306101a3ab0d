"""A model of Colonial made from the clauses alone, to compare the shipped game with.

Independent of the language, the engine and the text of the shipped game; only `comparing` and
`mapping` meet those.
"""
