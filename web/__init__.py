"""The web table: an HTTP server on which people and bots play the games of a folder.

The extra `web` installs the libraries that this package needs.
"""
