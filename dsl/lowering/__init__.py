"""Lowers the declarations and rules of a game to the core IR. Independent of how the IR is run."""
