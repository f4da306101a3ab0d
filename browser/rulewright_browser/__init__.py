"""The files that a playground needs beside Rulewright: Python for browsers and the text editor."""
