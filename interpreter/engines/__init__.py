"""The engines that run a program: the protocol, the reference interpreter, generated Python and native code."""
