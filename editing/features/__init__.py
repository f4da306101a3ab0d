"""Answers to an editor's requests: plain functions from the current game and a place in it to plain values."""
