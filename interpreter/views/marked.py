"""Handles text with marks of zero width, which refer to a player or a colour, or add emphasis.

A mark is a control character, which no game file may contain. Each word has its own marks, so that
lines can be wrapped and put next to each other. `painting.py` makes games whose words have marks.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

COLOURS = (
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "orange", "pink", "purple", "brown", "grey"
)  # fmt: skip
"""The colours that a terminal can show, under the names that rows of a game may have."""
_SEATS = ("cyan", "yellow", "green", "magenta", "blue", "red")
_END = "\x08"
STANDS_OUT = "\x07"
OF_SEATS = "\x01\x02\x03\x04\x05\x06"
OF_COLOURS = "\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a"
_MARKS = f"{STANDS_OUT}{OF_SEATS}{OF_COLOURS}"
_NO_MARKS = dict.fromkeys(map(ord, f"{_MARKS}{_END}"))
_WORD = f"[^{_MARKS}{_END}]*{_END}"
_MARKED = re.compile(rf"([{_MARKS}]){_WORD}(?: \1{_WORD})*")
_LETTER = re.compile(f"[{_MARKS}]?[^\\s{_MARKS}{_END}]{_END}?")


def mark(text: str, symbol: str = STANDS_OUT) -> str:
    """Put a mark on each word of a text."""
    return " ".join(f"{symbol}{word}{_END}" if word else "" for word in text.split(" "))


def plain(text: str) -> str:
    """Return a text without its marks."""
    return text.translate(_NO_MARKS)


def room_of(text: str) -> int:
    """Return the number of columns that a text takes up."""
    return len(plain(text))


def pad(text: str, room: int) -> str:
    """Pad a text with spaces to this number of columns."""
    return text + " " * (room - room_of(text))


def shorten(text: str, room: int) -> str:
    """Cut a text to this number of columns."""
    return text if room_of(text) <= room else plain(text)[:room]


def like(text: str, word: str) -> str:
    """Give `word` the mark with which `text` begins, if there is one."""
    return mark(word, text[0]) if text[:1] and text[0] in _MARKS else word


def in_colour(text: str, paint: Callable[[str, str], str]) -> str:
    """Paint the marked words of a text.

    `paint` is called with a word and its colour, or with "" in place of the colour if the word is
    only emphasised.
    """
    return plain(_MARKED.sub(lambda found: paint(plain(found[0]), _colour_of(found[1])), text))


def _colour_of(symbol: str) -> str:
    if symbol == STANDS_OUT:
        return ""
    at = OF_SEATS.find(symbol)
    return _SEATS[at] if at >= 0 else COLOURS[OF_COLOURS.index(symbol)]


def wrap(
    text: str, width: int, *, initial_indent: str = "", subsequent_indent: str = ""
) -> list[str]:
    """Break a text between its words into lines of at most `width` columns. Names with a hyphen are not broken.

    >>> wrap("the Bio-urban planner", 10)
    ['the', 'Bio-urban', 'planner']
    """
    lines = textwrap.wrap(
        plain(text),
        width,
        initial_indent=initial_indent,
        subsequent_indent=subsequent_indent,
        break_on_hyphens=False,
    )
    if plain(text) == text:
        return lines
    letters = iter(_LETTER.findall(text))
    indents = [initial_indent, *[subsequent_indent] * (len(lines) - 1)]
    return [
        indent
        + "".join(next(letters) if symbol.strip() else symbol for symbol in line[len(indent) :])
        for indent, line in zip(indents, lines, strict=False)
    ]
