"""Help for writing rules: answers requests of an editor from the tree and the recorded facts."""
