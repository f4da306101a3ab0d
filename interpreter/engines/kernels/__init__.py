"""Code that is written once and runs as Python and as native code: see `native/kernel.py`."""
