"""Files in, programs and problems out; the only package that opens files of games."""
