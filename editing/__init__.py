"""Help for writing rules: answers an editor's requests, given the syntax tree and the facts of the last
check.
"""
