"""Analyses and optimises a program before native code is written for it, without LLVM."""
