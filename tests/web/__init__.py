"""The table in the browser: storage, secrets at the wire, crashes, and whole matches by clicks."""
