"""The packages for editors."""
