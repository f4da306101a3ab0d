"""Writing rules with help: what an editor asks while somebody types, answered from the tree and the recorded facts."""
