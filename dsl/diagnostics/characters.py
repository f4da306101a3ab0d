"""Characters as a terminal shows them: the width of each, and substitutes for harmful ones.

Independent of the texts that they form.
"""

import unicodedata
from typing import Final

_TAB: Final = 4
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def glyph(character: str, column: int = 0) -> str:
    """The text shown for a character at a column, counted from 0.

    A tab becomes spaces. Any character that would move the cursor, turn the direction of the text or stay
    unseen becomes a symbol of its own.

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


def shown(text: str) -> str:
    """A text of one line without harmful characters; tabs become one space."""
    return "".join(" " if character == "\t" else glyph(character) for character in text)


def width(text: str) -> int:
    """The width in columns of a text without harmful characters.

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
