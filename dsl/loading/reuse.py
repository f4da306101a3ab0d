"""Reuse the results of an earlier check for the unchanged parts of an edited game.

Unchanged declarations and their places are taken from the old text, so that all facts about these
declarations remain valid. Places in the results are moved to the new text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import is_
from pathlib import Path
from typing import TypeAlias, TypeVar

import attrs
from attrs import define, field, frozen

from rulewright.dsl import checks
from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.lowering.whole.sharing import Common
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.tree import declared
from rulewright.dsl.tree.nesting import fields_of

Declarations = Sequence[declared.Declaration]

Stored: TypeAlias = declared.State | declared.Zone
Unit: TypeAlias = declared.Declaration | Stored
"""A part that has its own facts."""
Right: TypeAlias = tuple[int, set[tuple[str, str]]]
"""Variants without problems, given by the number of players and the options that they used."""
P = TypeVar("P", bound=Stored)


class Lost(Exception):
    """Raised for a place that no longer exists."""


@frozen
class Piece:
    """A part of an older text, and the distance by which this part has moved in the current text."""

    start: int
    end: int
    now: Source
    by: int


@define
class Places:
    """Maps parts of older texts to their current places."""

    pieces: dict[Source, list[Piece]] = field(factory=dict)
    """The unchanged pieces of each older text, in order."""
    ends: dict[Source, Source] = field(factory=dict)
    """The text that has replaced each older text."""
    _starts: dict[Source, list[int]] = field(factory=dict)
    """The beginnings of the unchanged pieces of each older text, in order."""

    def add(self, pieces: Sequence[tuple[Source, Piece]]) -> None:
        """Add all unchanged pieces of the older texts of a file."""
        for source, piece in pieces:
            self.pieces.setdefault(source, []).append(piece)
            self.ends[source] = piece.now
        for source in dict(pieces):
            self.pieces[source].sort(key=_start)
            self._starts[source] = [*map(_start, self.pieces[source])]

    def span(self, span: Span) -> Span:
        """Return the current place of an older place; raise `Lost` if it no longer exists."""
        found = self.find(span)
        if found is None:
            raise Lost
        return found

    def find(self, span: Span) -> Span | None:
        """Return the current place of an older place, or None if it no longer exists."""
        source, start, end = span.source, span.start, span.end
        now = self.ends.get(source)
        if now is None:
            return span
        at = bisect_right(self._starts[source], start) - 1
        piece = self.pieces[source][at]
        if at >= 0 and end <= piece.end:
            return Span(piece.now, start + piece.by, end + piece.by)
        return now.end if span == source.end else None

    def problem(self, problem: Diagnostic) -> Diagnostic:
        """Update the locations in a problem to the current text."""
        return attrs.evolve(
            problem,
            span=self.span(problem.span),
            labels=tuple(
                attrs.evolve(label, span=self.span(label.span)) for label in problem.labels
            ),
            fixes=tuple(attrs.evolve(fix, span=self.span(fix.span)) for fix in problem.fixes),
        )


@frozen
class Paired:
    """The current declarations of a file, and the earlier declarations that were reused for them."""

    newer: tuple[declared.Declaration, ...]
    found: tuple[declared.Declaration, ...]
    pieces: tuple[tuple[Source, Piece], ...]
    """The current places of the earlier declarations."""

    def is_of(self, older: Declarations, newer: Declarations) -> bool:
        """Return whether a file still has the same declarations, and whether the facts are still
        about the same nodes.
        """
        return len(older) == len(newer) == len(self.newer) and all(
            before is one and now is other
            for before, one, now, other in zip(older, self.found, newer, self.newer, strict=True)
        )


@frozen
class Earlier:
    """The declarations and facts of the last version in which some variant of the game had no
    problems.
    """

    declarations: Declarations
    common: Common
    paired: Mapping[str, Paired]
    """The results for each file, so that only edited files are compared."""
    tables: Mapping[Path, Source | None]
    right: Sequence[Right]
    compiled: Sequence[checks.Compiled]
    """The results for the variants without problems."""
    facts: Facts
    """The facts about places, of which only the types are used."""

    def is_of(self, declarations: Declarations, tables: Mapping[Path, Source | None]) -> bool:
        """Return whether a game has the same declarations and tables. If so, its results are the same."""
        return (
            self.tables == tables
            and len(self.declarations) == len(declarations)
            and all(map(is_, self.declarations, declarations))
        )


@frozen
class Reused:
    """The declarations of a game. Each unchanged declaration is represented by its earlier node."""

    declarations: tuple[declared.Declaration, ...]
    places: Places
    new: frozenset[int]
    """The indices of the declarations that were changed."""
    paired: Mapping[str, Paired] = field(factory=dict)


def reuse_nodes(
    before: Declarations, now: Declarations, paired: Mapping[str, Paired] | None = None
) -> Reused:
    """Return the declarations of a game. Each unchanged declaration is represented by its earlier node.

    `paired` contains the results of the last check, keyed by file.
    """
    was, found, places, new = _by_file(before), [*now], Places(), set[int]()
    by_file: dict[str, Paired] = {}
    for name, numbers in _indices_by_file(now).items():
        older = was.get(name, [])
        newer = [now[n] for n in numbers]
        known = (paired or {}).get(name)
        if known is not None and known.is_of(older, newer):
            for n, declaration in zip(numbers, older, strict=True):
                found[n] = declaration
            by_file[name] = known
            continue
        same = dict(_unchanged_declarations(older, newer))
        pairs: list[tuple[Unit, Unit]] = [(newer[at], one) for at, one in same.items()]
        matched = {id(one) for one in same.values()}
        gone = [one for one in older if id(one) not in matched]
        for at, n in enumerate(numbers):
            one = same.get(at)
            if one is None:
                new.add(n)
                found[n] = _reuse_parts(now[n], gone, pairs)
            else:
                found[n] = one
                pairs += _parts_of_other_texts(one, now[n])
        pieces = tuple(_pieces(newer, pairs))
        by_file[name] = Paired(tuple(newer), tuple(found[n] for n in numbers), pieces)
    for pair in by_file.values():
        places.add(pair.pieces)
    return Reused(tuple(found), places, frozenset(new), by_file)


def _by_file(declarations: Declarations) -> dict[str, list[declared.Declaration]]:
    found: dict[str, list[declared.Declaration]] = {}
    for one in declarations:
        found.setdefault(one.span.source.name, []).append(one)
    return found


def _indices_by_file(declarations: Declarations) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for n, one in enumerate(declarations):
        found.setdefault(one.span.source.name, []).append(n)
    return found


def _unchanged_declarations(
    older: Declarations, newer: Declarations
) -> Iterator[tuple[int, declared.Declaration]]:
    """Yield the index and the earlier node of each unchanged declaration of a file, in the order of the text.

    Declarations are compared from both ends first, because most edits change only one place.
    """
    most = min(len(older), len(newer))
    head = 0
    while head < most and is_moved(older[head], newer[head]):
        yield head, older[head]
        head += 1
    tail = 0
    while tail < most - head and is_moved(older[-1 - tail], newer[-1 - tail]):
        tail += 1
        yield len(newer) - tail, older[-tail]
    left = older[head : len(older) - tail]
    for n in range(head, len(newer) - tail):
        at = next((at for at, one in enumerate(left) if is_moved(one, newer[n])), None)
        if at is not None:
            yield n, left[at]
            left = left[at + 1 :]


def _parts(declaration: object) -> tuple[Stored, ...]:
    """Return the parts of a declaration that have their own facts: states and zones of players and things."""
    if isinstance(declaration, declared.PlayerDeclaration | declared.Record):
        return (*declaration.states, *declaration.zones)
    return ()


def _reuse_parts(
    newer: declared.Declaration,
    gone: Declarations,
    pairs: list[tuple[Unit, Unit]],
) -> declared.Declaration:
    """Replace the unchanged parts of a changed declaration with their earlier nodes. Add each new
    part and its earlier node to `pairs`.
    """
    if not isinstance(newer, declared.PlayerDeclaration | declared.Record):
        return newer
    called = getattr(newer, "name", None)
    were = {
        part.name: part
        for one in gone
        if one.__class__ is newer.__class__ and getattr(one, "name", None) == called
        for part in _parts(one)
    }

    def reused_part(part: P) -> P:
        one = were.get(part.name)
        if one is None or one.__class__ is not part.__class__ or not is_moved(one, part):
            return part
        del were[part.name]  # any further part with this name is new
        pairs.append((part, one))
        return one  # type: ignore[return-value]  # of the same class, as was tested

    if not were:
        return newer
    states, zones = tuple(map(reused_part, newer.states)), tuple(map(reused_part, newer.zones))
    return attrs.evolve(newer, states=states, zones=zones)


def _parts_of_other_texts(
    older: declared.Declaration, newer: declared.Declaration
) -> Iterator[tuple[Stored, Stored]]:
    """For a declaration, yield the parts whose nodes come from a different text than the declaration itself."""
    for one, part in zip(_parts(older), _parts(newer), strict=True):
        if one.span.source is not older.span.source:
            yield part, one


def is_moved(old: object, new: object) -> bool:
    """Return whether two declarations differ only in their places."""
    if old is new:
        return True
    if old.__class__ is not new.__class__:
        return False
    was, now = old.span, new.span  # type: ignore[attr-defined]  # declarations have a span
    before, after, by = was.source, now.source, now.start - was.start
    stack: list[tuple[object, object]] = [(old, new)]
    parts = {id(one): one for one in _parts(old) if one.span.source is not before}
    while stack:
        a, b = stack.pop()
        kind = a.__class__
        if kind is not b.__class__:
            return False
        if id(a) in parts:
            if not is_moved(a, b):
                return False
            continue
        if isinstance(a, Span) and isinstance(b, Span):
            if a.source is not before or b.source is not after:
                return False
            if b.start - a.start != by or b.end - a.end != by:
                return False
        elif isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif names := fields_of(kind):
            stack.extend((getattr(a, name), getattr(b, name)) for name in names)
        elif a != b:
            return False
    return True


def _pieces(
    newer: Declarations,
    pairs: Sequence[tuple[Unit, Unit]],
) -> Iterator[tuple[Source, Piece]]:
    """Yield the earlier places of the parts of a file. Each place includes the unchanged characters after the part."""
    if all(new is one for new, one in pairs):
        return
    units = [*newer, *(part for one in newer for part in _parts(one))]
    extents = {id(one): _extent(one) for one in units}
    starts = sorted({start for start, _ in extents.values()})
    for new, one in pairs:
        if one is new:
            continue
        source, now, by = one.span.source, new.span.source, new.span.start - one.span.start
        start, end = extents[id(new)]
        at = bisect_right(starts, end - 1)
        after = starts[at] if at < len(starts) else len(now.text)
        while end < after and source.text[end - by : end - by + 1] == now.text[end : end + 1]:
            end += 1
        yield source, Piece(start - by, end - by, now, by)


def _extent(declaration: Unit) -> tuple[int, int]:
    """Return the start and end offsets of a declaration."""
    starts, ends = [], []
    stack: list[object] = [declaration]
    while stack:
        part = stack.pop()
        if isinstance(part, Span):
            starts.append(part.start)
            ends.append(part.end)
        elif isinstance(part, tuple):
            stack.extend(part)
        else:
            stack.extend(getattr(part, name) for name in fields_of(part.__class__))
    return min(starts), max(ends)


def _start(piece: Piece) -> int:
    return piece.start


def declarations_around(declarations: Declarations, lowered: Iterable[object]) -> Declarations:
    """Return, in order, the declarations that contain any of the lowered nodes."""
    starts: dict[Source, list[tuple[int, int]]] = {}
    for n, one in enumerate(declarations):
        starts.setdefault(one.span.source, []).append((one.span.start, n))
    found: set[int] = set()
    for node in lowered:
        span = getattr(node, "span", None)
        if isinstance(span, Span) and span.source in starts:
            before = starts[span.source]
            at = bisect_right(before, span.start, key=_first) - 1
            found.add(before[max(at, 0)][1])
    return [declarations[n] for n in sorted(found)]


def _first(place: tuple[int, int]) -> int:
    return place[0]


__all__ = ["Earlier", "Lost", "Places", "Reused", "declarations_around", "is_moved", "reuse_nodes"]
