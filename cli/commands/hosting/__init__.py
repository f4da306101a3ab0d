"""Commands that serve other programs: editors, browsers, players."""
