"""Contains kernels: code that is written once and runs both as Python and as native code (see `native/kernel.py`)."""
