"""Suggests names near to a misspelt word.

Independent of the meaning of names; the caller gives those that would be right at the place.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import attrs

MOST_NAMES: Final = 3

# Longer words are offered only for another case or order: comparing them letter by letter is slow.
_LONGEST_WORD: Final = 64


def near_names(word: str, names: Iterable[str], limit: int = MOST_NAMES) -> tuple[str, ...]:
    """At most `limit` of the names that are near the word, the nearest first.

    >>> near_names("stach", ["stash", "hand", "stack"])
    ('stack', 'stash')
    >>> near_names("hand_of_cards", ["cards_of_hand"])
    ('cards_of_hand',)
    """
    return _nearest(word, frozenset(names))[:limit]


@lru_cache(maxsize=1 << 12)  # the same word is wrong with many choices of players and options
def _nearest(word: str, names: frozenset[str]) -> tuple[str, ...]:
    """All names that are near the word, the nearest first."""
    wanted = _form(word)
    ranked = sorted(
        (distance, name)
        for name in names - {word}
        if (distance := _distance(wanted, _form(name))) is not None
    )
    return tuple(name for _, name in ranked)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """The question that offers the near names, or nothing when none is near.

    >>> did_you_mean("stach", ["stash", "hand", "stack"])
    'did you mean `stack` or `stash`?'
    >>> did_you_mean("stach", ["hand"])
    ''
    """
    near = near_names(word, names)
    if not near:
        return ""
    return f"did you mean {listed_or(near)}?"


def listed_or(names: Sequence[str]) -> str:
    """Names in backticks as a choice.

    >>> listed_or(["a", "b", "c"])
    '`a`, `b` or `c`'
    """
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def listed_and(names: Sequence[str]) -> str:
    """Names in backticks, all of them.

    >>> listed_and(["a", "b", "c"])
    '`a`, `b` and `c`'
    """
    *others, last = [f"`{name}`" for name in names]
    return f"{', '.join(others)} and {last}" if others else last


@attrs.frozen
class _Form:
    """A name as it is compared: its text, its parts in order, and a bit for each of its letters."""

    text: str
    parts: tuple[str, ...]
    letters: int


@lru_cache(maxsize=1 << 14)
def _form(name: str) -> _Form:
    text = name.casefold()
    letters = 0
    for letter in text:
        letters |= 1 << ord(letter) % 61
    return _Form(text, tuple(sorted(part for part in text.split("_") if part)), letters)


def _distance(word: _Form, name: _Form) -> int | None:
    """How far a name is from a word, or nothing when it is too far to be meant."""
    if word.parts == name.parts:
        return 0
    one, other = word.text, name.text
    longer = max(len(one), len(other))
    if longer > _LONGEST_WORD:
        return None
    most = min(longer // 3, 3)
    if abs(len(one) - len(other)) > most:
        return None
    # Each letter that only one of them has takes an edit.
    if (word.letters & ~name.letters).bit_count() > most:
        return None
    if (name.letters & ~word.letters).bit_count() > most:
        return None
    edits = _edits(one, other)
    return edits if edits <= most else None


def _edits(one: str, other: str) -> int:
    """Letters inserted, left out, replaced or swapped with a neighbour.

    The restricted Damerau-Levenshtein distance, a column of the table at a time as bits of a number (Hyyrö, 2003).
    """
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for n, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << n
    last = 1 << len(one) >> 1
    up, down, equal, before = (1 << len(one)) - 1, 0, 0, 0
    distance = len(one)
    for letter in other:
        here = places.get(letter, 0)
        swapped = ((~equal & here) << 1) & before
        equal = (((here & up) + up) ^ up) | here | down | swapped
        higher = down | ~(equal | up)
        lower = up & equal
        distance += bool(higher & last) - bool(lower & last)
        shifted = higher << 1 | 1
        up = lower << 1 | ~(equal | shifted)
        down = shifted & equal
        before = here
    return distance
