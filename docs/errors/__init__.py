"""The pages about problem codes, one file each, so that `rulewright explain` finds them; holds no code."""
