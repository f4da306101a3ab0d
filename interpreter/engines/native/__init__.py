"""The native engine: LLVM IR written from the core IR, compiled by llvmlite (the extra `native`)."""
