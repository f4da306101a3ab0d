"""Places in a text and what is wrong there: problems as values, the list of their codes, how they are shown."""
