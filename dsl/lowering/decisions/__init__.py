"""Lowers decisions: the options that are offered, the reasons why others are refused, and the steps
that follow an answer.
"""
