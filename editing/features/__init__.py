"""Answers to an editor's requests: plain functions that map the current game and a place in it to plain
values.
"""
