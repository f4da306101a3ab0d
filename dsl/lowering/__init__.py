"""Lowers the declarations and rules of a game to the core IR. The lowering does not depend on how the IR runs."""
