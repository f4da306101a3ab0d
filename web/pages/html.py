"""HTML from parts: whatever is no `Html` is escaped."""

from __future__ import annotations

from html import escape
from typing import TypeAlias

_ALONE = frozenset(("br", "hr", "img", "input", "link", "meta"))


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()


Part: TypeAlias = "Html | str | int | list[Html] | tuple[Html, ...] | None"
Attribute: TypeAlias = "str | int | bool | None"


def tag(tag_name: str, /, *parts: Part, **attributes: Attribute) -> Html:
    """An element. `for_` and `class_` stand for words of Python, `data_x` for `data-x`; False and None leave it out."""
    words = "".join(_attribute(key, value) for key, value in attributes.items())
    if tag_name in _ALONE:
        return Html(f"<{tag_name}{words}>")
    return Html(f"<{tag_name}{words}>{joined(*parts)}</{tag_name}>")


def joined(*parts: Part) -> Html:
    """Parts one behind the other."""
    return Html("".join(map(_escaped, parts)))


def _escaped(part: Part) -> str:
    if part is None:
        return ""
    if isinstance(part, Html):
        return part
    if isinstance(part, (list, tuple)):
        return "".join(map(_escaped, part))
    return escape(str(part))


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'
