"""Statements that change something or lead to others, and the triggers that follow them."""
