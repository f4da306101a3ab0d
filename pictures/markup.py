"""Build HTML and SVG as text with automatic escapes: a tag is built from names and texts, never from text
with tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from typing import TypeAlias

_SPECIAL = re.compile("[&<>\"']")
_VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()


Part: TypeAlias = "Markup | str | int | Iterable[Markup | str] | None"
"""The content of an element; text that is not `Markup` is escaped."""


def tag(name: str, /, *children: Part, **attributes: object) -> Markup:
    """Return an element. Text that is not `Markup` is escaped; attributes that are None or False are
    omitted.

    `data_zone` is the attribute `data-zone`, `class_` is `class`, `x_` would be `x`.

    >>> tag("p", "a < b", class_="big", data_zone="hand", hidden=True)
    '<p class="big" data-zone="hand" hidden>a &lt; b</p>'
    """
    start = f"<{name}"
    for pair in attributes.items():
        if pair[1] is not None and pair[1] is not False:
            start += _attribute(*pair)
    if name in _VOID:
        return Markup(f"{start}>")
    return Markup(f"{start}>{''.join(map(_text, children))}</{name}>")


@lru_cache(8_192, typed=True)
def _attribute(key: str, value: object) -> str:
    """Return the text of an attribute; cached, because the same attributes recur."""
    return f" {_name(key)}" if value is True else f' {_name(key)}="{_value(value)}"'


def inner(*children: Part) -> Markup:
    """Concatenate several elements and texts."""
    return Markup("".join(map(_text, children)))


def _text(child: Part) -> str:
    if isinstance(child, Markup):
        return child
    if child is None:
        return ""
    if isinstance(child, str):
        return escape(child, quote=False) if _SPECIAL.search(child) else child
    if isinstance(child, int):
        return str(child)
    return "".join(map(_text, child))


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    text = str(value)
    return escape(text) if _SPECIAL.search(text) else text


@cache
def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
