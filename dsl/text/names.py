"""Read names in any alphabet: their letters, and their normal form."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from unicodedata import normalize

# letters, digits and `_`, and the marks that many alphabets put on, below and between letters
LETTER: Final = (
    r"\w\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    r"\u0900-\u1cff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ua8e0-\uabff\ufe20-\ufe2f"
)
NAME: Final = rf"[^\W\dA-Z][{LETTER}]*"
"""The pattern of a name in lines that are split by patterns; capitals of other alphabets are found later."""

_ELSE: Final = re.compile(rf"(?:[^{LETTER}]|_)+")


def normal_form(text: str) -> str:
    """Return the form in which a name is stored: a letter and its accents become one character if
    Unicode has one.
    """
    return text if text.isascii() else normalize("NFC", text)


@lru_cache(maxsize=20_000)
def as_name(text: str) -> str:
    """Return a word of a table as a name of the language: lowercase letters and digits, and `_` for
    all other characters.

    >>> as_name("Tea house (2)"), as_name("Émile"), as_name("护卫舰")
    ('tea_house_2', 'émile', '护卫舰')
    """
    return _ELSE.sub("_", normal_form(text).strip().lower()).strip("_")


def is_foreign(text: str) -> bool:
    """Return whether a word with letters other than a to z is capitalized like a name or a type.

    >>> is_foreign("straße"), is_foreign("Zürich"), is_foreign("goldenÄpfel"), is_foreign("tradeGoods")
    (True, True, False, False)
    """
    if text.isascii() or not text[0].isalpha():
        return False
    return text[0].isupper() or text == text.lower()


def snake(name: str) -> str:
    """Return the name of a type rewritten as the name of a row, such as `trade_token` for `TradeToken`."""
    out = "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
    return out.strip("_")
