"""Write a game and its settings as one text, `rulewright(game=pig,players=3)`, the form used by other
libraries.

In names and values each character with a special meaning is written as `%` and two hexadecimal digits, as
in a URL.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, unquote

from rulewright.interpreter.text.errors import WrongArgumentError

_PLAIN = "/\\ "
"""The characters that need no escape, besides letters, digits and `_.-~`."""


def plain(text: str) -> str:
    """Escape all special characters in a text."""
    return quote(text, safe=_PLAIN)


def plain_again(text: str) -> str:
    """Return the original text of an escaped text."""
    return unquote(text)


def options_text(options: Mapping[str, str]) -> str:
    """Write options as a text, `name:value;name:value`."""
    return ";".join(f"{plain(name)}:{plain(str(value))}" for name, value in options.items())


def options_of(text: str) -> dict[str, str]:
    """Parse a text written by `options_text`."""
    options: dict[str, str] = {}
    for pair in filter(None, text.split(";")):
        name, colon, value = map(plain_again, pair.partition(":"))
        if not colon or not name:
            message = f"options are written as `name:value;name:value`, and not as `{text:.60}`"
            raise WrongArgumentError(message)
        if name in options:
            raise WrongArgumentError(f"the option `{name}` is given twice in `{text:.60}`")
        options[name] = value
    return options
