"""Commands that answer other programs: editors, browsers, players."""
