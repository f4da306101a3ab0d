"""Make Rulewright's games available to other libraries, as environments and game classes.

Each module needs one library, which an extra installs. Independent of any game.
"""
