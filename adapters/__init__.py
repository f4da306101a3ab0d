"""Games of Rulewright where researchers are already: environments and game classes of other libraries.

Each module needs one of them, which an extra installs. Independent of any game.
"""
