"""Lowers the declarations and rules of a game to the core IR. It does not depend on how the IR runs."""
