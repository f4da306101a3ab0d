"""Defines the built-ins of the language: attributes of things and lists, and functions of numbers.

Each built-in is one function, in the module for its topic. The function is registered under the
words that call the built-in, and its docstring contains an example.
"""

from __future__ import annotations

from rulewright.dsl.lowering.builtins import lists, numbers, pieces, players, spaces

TOPICS = (lists, numbers, pieces, players, spaces)
