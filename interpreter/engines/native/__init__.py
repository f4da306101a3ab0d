"""Implements the native engine: LLVM IR is generated from the core IR and compiled by llvmlite (the extra `native`)."""
