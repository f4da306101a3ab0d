"""Runs programs: the protocol of engines, the reference interpreter, generated Python and native code."""
