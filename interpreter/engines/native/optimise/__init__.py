"""What is known of a program before native code is written for it, and what makes it shorter, without LLVM."""
