"""The words of the language, as `grammar.lark` spells them, with their places (`parsing/derived_words.py`)."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

_WORDS: Final[dict[str, Any]] = json.loads(
    files("rulewright.dsl.text").joinpath("words.json").read_text(encoding="utf-8")
)
HEADS: Final[dict[str, str]] = _WORDS["heads"]
"""Words at the start of a line, each with its terminal."""
RESERVED: Final[dict[str, str]] = _WORDS["reserved"]
"""Words that belong to the language everywhere."""
GROUPS: Final[dict[str, str]] = _WORDS["groups"]
"""Connecting words that consist of two or more words."""
QUERIES: Final[tuple[str, ...]] = tuple(_WORDS["queries"])
"""Words before a bracket."""
LOCAL: Final[dict[str, tuple[str, frozenset[str], frozenset[str]]]] = {
    word: (terminal, frozenset(heads), frozenset(before))
    for word, (terminal, heads, before) in _WORDS["local"].items()
}
"""Words that are recognised only in lines with certain head words, directly after certain terminals."""
SIGNS: Final[dict[str, str]] = _WORDS["signs"]
SCENARIOS: Final[dict[str, str]] = _WORDS["scenarios"]
"""The words of scenario lines, which are names everywhere else."""
