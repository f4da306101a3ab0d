"""What editors need to show rules: grammars for highlighting, and how packages are built."""
