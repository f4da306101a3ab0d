"""Suggest names similar to a misspelt word.

This module is independent of the meaning of names; the caller supplies the names that would be right at the
place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Final

import attrs

from rulewright.dsl.diagnostics.advice import Advice, Change

MOST_NAMES: Final = 3

# Longer words are offered only if nothing but case or order differs, because comparing them letter by letter is slow.
_LONGEST_WORD: Final = 64
_MOST_EDITS: Final = 3


def near_names(word: str, names: Iterable[str], limit: int = MOST_NAMES) -> tuple[str, ...]:
    """Return at most `limit` of the names similar to the word, the most similar first.

    >>> near_names("stach", ["stash", "hand", "stack"])
    ('stack', 'stash')
    >>> near_names("hand_of_cards", ["cards_of_hand"])
    ('cards_of_hand',)
    """
    return _nearest(word, frozenset(names), limit)


@lru_cache(maxsize=1 << 12)  # the same word is misspelt in many variants
def _nearest(word: str, names: frozenset[str], limit: int) -> tuple[str, ...]:
    """Return the names similar to the word: the most similar first, equally similar ones in
    alphabetical order.
    """
    index = _index(names)
    parts, text = _form(word)
    found = sorted(index.by_parts.get(parts, set()) - {word})
    near = [
        hit
        for length in range(len(text) - _MOST_EDITS, len(text) + _MOST_EDITS + 1)
        if length in index.by_length and max(len(text), length) <= _LONGEST_WORD
        for hit in _Row.of(index.by_length[length], length).near(text, limit + len(found) + 1)
    ]
    known = {word, *found}
    found += [name for _, name in sorted(near) if name not in known]
    return tuple(found[:limit])


def did_you_mean(word: str, names: Iterable[str]) -> Advice:
    """Return the question that offers similar names instead of the word, or empty advice if no name is similar.

    >>> did_you_mean("stach", ["stash", "hand", "stack"]).words
    'did you mean `stack` or `stash`?'
    >>> bool(did_you_mean("stach", ["hand"]))
    False
    """
    near = near_names(word, names)
    return instead_of(word, near, "did you mean ") + "?" if near else Advice()


def instead_of(word: str, names: Sequence[str], words: str) -> Advice:
    """Return advice with names that can be written instead of a word."""
    return Advice(words + listed_or(names), tuple(Change(name, part=word) for name in names))


def listed_or(names: Sequence[str]) -> str:
    """Return names in backticks as a choice.

    >>> listed_or(["a", "b", "c"])
    '`a`, `b` or `c`'
    """
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def listed_and(names: Sequence[str]) -> str:
    """Return all names in backticks, joined by `and`.

    >>> listed_and(["a", "b", "c"])
    '`a`, `b` and `c`'
    """
    *others, last = [f"`{name}`" for name in names]
    return f"{', '.join(others)} and {last}" if others else last


@lru_cache(maxsize=1 << 14)
def _form(name: str) -> tuple[tuple[str, ...], str]:
    """Return the sorted parts of a name between its underscores, and the name in lower case."""
    text = name.casefold()
    return tuple(sorted(part for part in text.split("_") if part)), text


@attrs.frozen
class _Index:
    """Names grouped in two ways: by their parts, and by their length."""

    by_parts: Mapping[tuple[str, ...], set[str]]
    by_length: dict[int, frozenset[str]]


@lru_cache(maxsize=1 << 6)
def _index(names: frozenset[str]) -> _Index:
    by_parts: dict[tuple[str, ...], set[str]] = {}
    by_length: dict[int, set[str]] = {}
    for name in names:
        parts, text = _form(name)
        by_parts.setdefault(parts, set()).add(name)
        by_length.setdefault(len(text), set()).add(name)
    return _Index(
        by_parts, {length: frozenset(same) for length, same in by_length.items() if length}
    )


@attrs.frozen
class _Row:
    """Names of the same length, packed into numbers so that a word is compared with all of them at once.

    A number contains one field of `length` + 1 bits for each name, and one bit for each letter of
    the name.
    """

    names: tuple[str, ...]
    length: int
    places: dict[str, int]
    """For each letter, a number with a bit at each place where a name has this letter."""
    firsts: int
    """The first bit of each field."""

    @staticmethod
    @lru_cache(maxsize=1 << 8)
    def of(names: frozenset[str], length: int) -> _Row:
        """Return the row of these names."""
        ordered = tuple(sorted(names))
        width = length + 1
        size = len(ordered) * width // 8 + 1
        places: defaultdict[str, bytearray] = defaultdict(lambda: bytearray(size))
        firsts = bytearray(size)
        for start, name in zip(count(step=width), ordered):
            firsts[start >> 3] |= 1 << (start & 7)
            for at, letter in enumerate(_form(name)[1], start):
                places[letter][at >> 3] |= 1 << (at & 7)
        numbers = {letter: int.from_bytes(bits, "little") for letter, bits in places.items()}
        return _Row(ordered, length, numbers, int.from_bytes(firsts, "little"))

    def near(self, word: str, limit: int) -> Iterator[tuple[int, str]]:
        """Yield at most `limit` of the nearest names, each together with its distance."""
        most = min(max(len(word), self.length) // 3, _MOST_EDITS)
        if abs(len(word) - self.length) > most:
            return
        distances = self.distances(word)
        guards = self.firsts << self.length
        for distance in range(most + 1):
            # A field that is zero borrows from its guard when 1 is subtracted.
            others = distances ^ distance * self.firsts
            equal = ~((others | guards) - self.firsts) & guards
            while equal and limit:
                bit = equal & -equal
                equal ^= bit
                limit -= 1
                yield distance, self.names[bit.bit_length() // (self.length + 1) - 1]

    def distances(self, word: str) -> int:
        """For each field, count the letters that are inserted, left out, replaced or swapped with a
        neighbour.

        This is the restricted Damerau-Levenshtein distance, computed one column of the table at a time, as
        bits of a number (Hyyrö, 2003).
        """
        firsts, last = self.firsts, self.length - 1
        full = (firsts << self.length) - firsts
        up, down, equal, before = full, 0, 0, 0
        distances = self.length * firsts
        for letter in word:
            here = self.places.get(letter, 0)
            swapped = ((full ^ equal) & here) << 1 & before
            equal = ((((here & up) + up) ^ up) | here | down | swapped) & full
            higher = down | full ^ (equal | up)
            lower = up & equal
            distances += (higher >> last & firsts) - (lower >> last & firsts)
            shifted = (higher << 1 | firsts) & full
            up = (lower << 1 | ~(equal | shifted)) & full
            down = shifted & equal
            before = here
        return distances
