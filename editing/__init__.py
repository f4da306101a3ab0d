"""Help for writing rules: requests of an editor while somebody types, answered from the tree and the recorded facts."""
