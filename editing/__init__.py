"""Help for writing rules: answers the requests of an editor from the syntax tree and the facts of the last check."""
