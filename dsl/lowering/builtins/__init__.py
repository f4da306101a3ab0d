"""The built-ins of the language: attributes of things and lists, and functions of numbers.

One function a built-in, in the module of its topic, registered with the words that call it; the
docstring holds an example.
"""

from __future__ import annotations

from rulewright.dsl.lowering.builtins import lists, numbers, pieces, players, spaces

TOPICS = (lists, numbers, pieces, players, spaces)
