"""Analyses and optimisations of a program before native code is written for it, without LLVM."""
