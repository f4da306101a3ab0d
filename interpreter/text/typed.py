"""Compares names and texts with words that people type: without capitals, accents and punctuation, and only in part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import normalize

_NUMBER = re.compile(r"(?:[^()]*\()?(-?[0-9]+)\)?")
_ACCENTS = re.compile("[\N{COMBINING GRAVE ACCENT}-\N{COMBINING LATIN SMALL LETTER X}]")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def plain(text: str) -> str:
    """Reduce a name or text to words without capitals, accents and punctuation.

    So `drop(4)` may be typed as `drop 4`, and `Zoé` as `zoe`.
    """
    letters = _ACCENTS.sub("", normalize("NFKD", text.casefold()))
    characters = (
        character if character.isalnum() or character in "-+?" else " " for character in letters
    )
    return " ".join("".join(characters).split())


def about_it(typed: str, names: Sequence[str]) -> list[str]:
    """Return the options that have the typed words in their names: `pear` is in `buy(pear)`."""
    words = plain(typed)
    return [name for name in names if words and f" {words} " in f" {plain(name)} "]


def options_with(typed: str, names: Sequence[str], texts: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of the options that contain the typed words, or words that begin with them.

    Names are searched before texts, and whole words before beginnings of words.
    """
    return next((places for places in by_parts(plain(typed), names, texts) if places), ())


def labels_of(names: Sequence[str]) -> list[str]:
    """Return the labels to type for options: their positions in the list, unless most options are numbers.

    If most are numbers, each of these is labelled with its own number, as in `drop(4)`. Options
    without a number are labelled with a name or a letter.
    """
    own = [number_of(name) for name in names]
    numbers = [number for number in own if number is not None]
    bare = any(name == number for name, number in zip(names, own, strict=True))
    distinct = len(set(numbers)) == len(numbers)
    if not distinct or not (bare or 2 * len(numbers) > len(names)):
        return [str(place) for place in range(1, len(names) + 1)]
    if bare and all(
        name == number or "(" not in name for name, number in zip(names, own, strict=True)
    ):
        return list(names)
    taken = {plain(name) for name in names}
    return [
        number if number is not None else _letter_for(name, taken)
        for name, number in zip(names, own, strict=True)
    ]


def number_of(name: str) -> str | None:
    """Return the number of an option whose only part is a number, as a text. For `4` and `drop(4)`, this is "4"."""
    found = _NUMBER.fullmatch(name)
    return found[1] if found else None


def _letter_for(name: str, taken: set[str]) -> str:
    """Choose an unused letter of the name, else any unused letter, else two letters."""
    wanted: tuple[str, ...] = (
        *(character for character in plain(name) if character in _LETTERS),
        *_LETTERS,
    )
    pairs = (one + other for one in _LETTERS for other in _LETTERS)
    letter = next(letter for letter in (*wanted, *pairs) if letter not in taken)
    taken.add(letter)
    return letter


def by_parts(typed: str, names: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield the options with these whole words in their names, then in their texts.

    After them, yield the options with words that begin with these words, in the same order.
    """
    for end in (" ", ""):
        for known in (names, texts):
            yield tuple(
                place
                for place, name in enumerate(known)
                if typed and f" {typed}{end}" in f" {plain(name)} "
            )
