"""Lowers statements that change something or lead to other statements, and the triggers that run after them."""
