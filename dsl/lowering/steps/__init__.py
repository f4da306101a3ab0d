"""Lowers statements other than decisions: changes, branches, loops, calls and messages. Also lowers triggers."""
