"""HTML and SVG as text that is escaped everywhere: a tag is made of names and texts, never of text with tags in it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(
    name: str, /, *children: Markup | str | Iterable[Markup] | None, **attributes: object
) -> Markup:
    """An element. Words that are no `Markup` are escaped; attributes that are None or False are left out.

    `data_zone` is the attribute `data-zone`, `class_` is `class`, `x_` would be `x`.

    >>> tag("p", "a < b", class_="big", data_zone="hand", hidden=True)
    '<p class="big" data-zone="hand" hidden>a &lt; b</p>'
    """
    start = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}"
    if name in _VOID:
        return Markup(f"{start}>")
    return Markup(f"{start}>{inner(*children)}</{name}>")


def inner(*children: Markup | str | Iterable[Markup] | None) -> Markup:
    """Several elements and texts, one behind the other."""
    return Markup("".join(map(_text, children)))


def _text(child: Markup | str | Iterable[Markup] | None) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return escape(child, quote=False)
    return "".join(child)


def _attribute(name: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    if isinstance(value, float):
        value = f"{value:.2f}".rstrip("0").rstrip(".")
    return f' {name}="{escape(str(value))}"'
