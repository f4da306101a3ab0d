"""Format rules files and scenario files in the canonical layout: text in, text out, meaning unchanged."""
