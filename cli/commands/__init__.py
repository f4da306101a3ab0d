"""The commands, one module each; a module is loaded when its command runs."""
