"""The canonical layout of rules files and scenario files: text in, text out, meaning unchanged."""
