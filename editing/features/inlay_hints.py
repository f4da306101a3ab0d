"""Inlay hints: the types and ranges of values and local names that `check` has inferred."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type, describe
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk
from rulewright.editing.workspace.project import Snapshot


@frozen
class Hint:
    """A short text that is shown after a place."""

    offset: int
    text: str


def hints(snapshot: Snapshot, path: Path, start: int, end: int) -> Iterator[Hint]:
    """Yield the hints between two places of a file."""
    source = snapshot.sources.get(path)
    if source is None:
        return
    for d in snapshot.declarations_in(path):
        if isinstance(d, declared.Value):
            type = snapshot.facts.types.get(d.value.span)
            at = d.bounds[0].span.start if d.bounds else d.value.span.start
            head = source.text[: at if d.bounds else source.text.rfind("=", 0, at)].rstrip()
            if type is not None and start <= len(head) <= end:
                yield from _hint(len(head), type)
        for node in walk(d):
            if isinstance(node, syntax.Let) and node.type is None:
                type = snapshot.facts.types.get(node.value.span)
                if type is not None and start <= node.name_span.end <= end:
                    yield from _hint(node.name_span.end, type)


def _hint(offset: int, type: Type) -> Iterator[Hint]:
    if type.known and not isinstance(type, (types.Nothing, types.Empty, types.Text)):
        yield Hint(offset, f": {describe(type)}")
