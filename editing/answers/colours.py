"""What each name of a file is, so that it can be coloured by its meaning. Refuses to know colours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from rulewright.editing.desk.project import Snapshot

SORTS: Final = {
    "action": "function",
    "built-in": "macro",
    "column": "property",
    "effect": "event",
    "local": "parameter",
    "option": "enum",
    "part": "property",
    "row": "enumMember",
    "rule": "method",
    "seat": "enumMember",
    "state": "variable",
    "table": "struct",
    "tokens": "enumMember",
    "type": "class",
    "value": "decorator",
    "zone": "namespace",
}
"""What the sorts of names are called by editors."""
KINDS: Final = tuple(dict.fromkeys(SORTS.values()))
MODIFIERS: Final = ("declaration", "defaultLibrary")


@frozen
class Coloured:
    """A stretch of one line: where it begins and ends, what it is, which modifiers it has."""

    start: int
    end: int
    kind: str
    modifiers: tuple[str, ...] = ()


def coloured(snapshot: Snapshot, path: Path) -> list[Coloured]:
    """The names of a file in order, none over another."""
    return list(_apart(sorted(set(_all(snapshot, path)), key=_place)))


def _all(snapshot: Snapshot, path: Path) -> Iterator[Coloured]:
    source = snapshot.sources.get(path)
    for span, known in snapshot.facts.referents.items():
        if span.source is source and span.start < span.end and "\n" not in span.text:
            modifiers = ("declaration",) if known.declared == span else ()
            if known.sort == "built-in":
                modifiers = ("defaultLibrary",)
            yield Coloured(span.start, span.end, SORTS[known.sort], modifiers)
    for symbol in snapshot.symbols:
        if symbol.span.source is source:
            yield Coloured(symbol.span.start, symbol.span.end, SORTS[symbol.sort], ("declaration",))


def _place(one: Coloured) -> tuple[int, int, int]:
    return one.start, one.end, -len(one.modifiers)


def _apart(found: list[Coloured]) -> Iterator[Coloured]:
    """Of two that lie over each other, the first."""
    end = -1
    for one in found:
        if one.start >= end:
            yield one
            end = one.end
