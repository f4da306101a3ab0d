"""Determine how a terminal shows characters: the width of each, and a replacement for each harmful one.

This module is independent of the texts that contain the characters.
"""

import unicodedata
from typing import Final

_TAB: Final = 4
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def glyph(character: str, column: int = 0) -> str:
    """Return the text that is shown for a character at a column, counted from 0.

    A tab becomes spaces. Any character that would move the cursor, reverse the direction of the
    text or stay invisible becomes a separate symbol.

    >>> glyph("\\x1b")
    '␛'
    """
    if character == "\t":
        return " " * (_TAB - column % _TAB)
    if " " <= character <= "~":
        return character
    if character < " ":
        return chr(0x2400 + ord(character))
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp"):
        return _REPLACEMENT
    return character


def printable(text: str) -> str:
    """Return a text of one line without harmful characters; each tab becomes one space."""
    return "".join(" " if character == "\t" else glyph(character) for character in text)


def width(text: str) -> int:
    """Return the width in columns of a text without harmful characters.

    >>> width("銀杏 a")
    6
    """
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
