"""Estimate the width of text, well enough to break lines and shrink letters if nothing can measure text."""

from __future__ import annotations

import re
from functools import lru_cache

FAMILY = "Atkinson Hyperlegible Next, sans-serif"
"""The font of a picture; PNG and our pages include this font, other programs use a system font."""
_NARROW = frozenset("iljI.,:;'|!()[] ft")
_WIDE = frozenset("mwMWQOGD@%")
_WORDS = re.compile(r" ?(?:[^ /]+/?|/)")
LINE = 1.1
"""The height of a line, as a multiple of the font size."""
_SIZES = (11.0, 10.0, 9.0, 8.0, 7.0)
"""The font sizes of text in several lines."""
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


@lru_cache(8_192)
def width_of(text: str) -> float:
    """Return the width of a text, as a multiple of the font size; a little more than in most sans-serif
    fonts.
    """
    return sum(_width(letter) for letter in text)


def _width(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE:
        return 0.9
    return 0.68 if letter.isupper() else 0.58


def size_for(text: str, room: float, most: float) -> float:
    """Return the font size at which a text fits into a width."""
    return min(most, room / max(width_of(text), 0.4))


@lru_cache(8_192)
def lines_of(text: str, room: float, size: float, most: int = 99) -> tuple[str, ...]:
    """Break a text into lines no wider than `room`; the last ends with an ellipsis if the text does not
    fit.

    Lines break at spaces and after slashes. The results are cached, because pages show the same texts
    again.
    """
    lines: list[str] = []
    for word in _WORDS.findall(" ".join(text.split())):
        joined = f"{lines[-1]}{word}" if lines else word
        if lines and width_of(joined) * size <= room:
            lines[-1] = joined
        else:
            lines.append(_cut(word.lstrip(), room, size))
    if len(lines) > most:
        lines = lines[:most]
        lines[-1] = _cut(f"{lines[-1]} {_ELLIPSIS}", room, size)
    return tuple(lines)


def fit_text(text: str, room: float, high: float) -> tuple[float, tuple[str, ...]]:
    """Return the largest font size at which a text fits into a box in up to three lines, together with the
    lines.
    """
    size: float = _SIZES[-1]
    lines: tuple[str, ...] = (text,)
    for size in _SIZES:
        lines = lines_of(text, room, size, 3)
        is_whole = not any(line.endswith(_ELLIPSIS) for line in lines)
        if is_whole and len(lines) * size * LINE <= high:
            break
    return size, lines


def _cut(text: str, room: float, size: float) -> str:
    """Cut a text to one line; an ellipsis replaces the rest."""
    if width_of(text) * size <= room:
        return text
    rest = text.rstrip(f"{_ELLIPSIS} ")
    while rest and width_of(f"{rest}{_ELLIPSIS}") * size > room:
        rest = rest[:-1]
    return f"{rest.rstrip()}{_ELLIPSIS}"
