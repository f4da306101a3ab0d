"""A game with its settings as one text, `rulewright(game=pig,players=3)`, in which other libraries keep it.

In names and values all characters that have a meaning in such texts are written as `%` and two hexadecimal digits, as
in the address of a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, unquote

from rulewright.interpreter.text.errors import WrongArgumentError

_PLAIN = "/\\ "
"""Characters that stand for themselves, beside letters, digits and `_.-~`."""


def plain(text: str) -> str:
    """A text without characters that have a meaning in a text of settings."""
    return quote(text, safe=_PLAIN)


def plain_again(text: str) -> str:
    """The text that `plain` was given."""
    return unquote(text)


def options_text(options: Mapping[str, str]) -> str:
    """Options as a text: `name:value;name:value`."""
    return ";".join(f"{plain(name)}:{plain(str(value))}" for name, value in options.items())


def options_of(text: str) -> dict[str, str]:
    """The options in a text of `options_text`."""
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
