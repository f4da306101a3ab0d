"""Load files and return programs and problems. No other package opens the files of games."""
