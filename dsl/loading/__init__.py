"""Files in, programs and problems out; the only room that opens files of games."""
