"""Define the messages between a game host and its clients, for HTTP, the browser's worker and standard
input.
"""
