"""What runs a program: the protocol, the reference interpreter, generated Python and native code."""
