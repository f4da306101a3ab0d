"""List words that people know from rulebooks and programming languages and write out of habit,
together with replacements for these words.

This module is independent of the names of a game. It returns only replacements, not messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.dsl.diagnostics.advice import Advice, write

_WORDS: Final = "zero one two three four five six seven eight nine ten eleven twelve"
COUNTED: Final[Mapping[str, str]] = {word: str(n) for n, word in enumerate(_WORDS.split())}
"""Numbers, keyed by their words."""

OWNERS: Final = frozenset({"me", "self", "player", "mine", "you", "holder", "active_player"})
"""Words that people write for the owner, after `seen by`."""

OUT: Final = frozenset({"eliminated", "out", "dead", "out_of_play", "out_of_game"})
"""Words that people write for a player who has left the game."""

HOW_MANY: Final = frozenset({"count", "length", "len", "number", "amount", "cards", "how_many"})
"""Words that people write for `.size`."""

_ARTICLES: Final = ("the", "a", "an")


def of_word(before: str, word: str, after: str) -> Advice:
    """Return help for a word that does not fit after the previous word."""
    if before in _ARTICLES:
        return f"remove `{before}`: " + write(word)
    if before in ("my", "his", "her", "their", "your"):
        if before == "my":
            return write(f"me.{word}")
        return Advice(f"write the player and a dot: `p.{word}`")
    if word == "of" and after:
        return 'a dot means "of": ' + write(f"{after}.{before}")
    return Advice()


SIZES_OF: Final = frozenset({"empty", "is_empty", "isempty", "none"})
"""Words that people write for `is empty`, after a dot."""
