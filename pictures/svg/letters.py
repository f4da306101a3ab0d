"""Estimates the width of text, well enough to break lines and shrink letters if nothing can measure them."""

from __future__ import annotations

FAMILY = "Atkinson Hyperlegible Next, sans-serif"
"""The font of a picture; PNG and our pages include it, other programs use a system font."""
_NARROW = frozenset("iljI.,:;'|!()[] ft")
_WIDE = frozenset("mwMWQOGD@%")


def width_of(text: str) -> float:
    """The width of a text, in font sizes: a little more than in most sans-serif fonts."""
    return sum(_width(letter) for letter in text)


def _width(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE:
        return 0.9
    return 0.68 if letter.isupper() else 0.58


def size_for(text: str, room: float, most: float) -> float:
    """The font size at which a text fits into a width."""
    return min(most, room / max(width_of(text), 0.4))


def lines_of(text: str, room: float, size: float, most: int = 99) -> list[str]:
    """A text in lines no wider than a width; the last ends with an ellipsis if the text does not fit."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(joined) * size <= room:
            lines[-1] = joined
        else:
            lines.append(_cut(word, room, size))
    if len(lines) > most:
        lines = lines[:most]
        lines[-1] = _cut(f"{lines[-1]} \N{HORIZONTAL ELLIPSIS}", room, size)
    return lines


def _cut(text: str, room: float, size: float) -> str:
    """A text cut to one line; an ellipsis replaces the rest."""
    if width_of(text) * size <= room:
        return text
    rest = text.rstrip("\N{HORIZONTAL ELLIPSIS} ")
    while rest and width_of(f"{rest}\N{HORIZONTAL ELLIPSIS}") * size > room:
        rest = rest[:-1]
    return f"{rest.rstrip()}\N{HORIZONTAL ELLIPSIS}"
