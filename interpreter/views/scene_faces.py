"""Finds the facts about pieces and spaces that stay the same during a match: titles, columns, texts and links.

The facts depend only on the program, and are computed once for each compiled game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal
from weakref import WeakKeyDictionary, WeakValueDictionary

import attrs

from rulewright.dsl.ir import PieceKind, Program, SpaceKind
from rulewright.interpreter.text.names import NOTHING
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.viewer import Viewer

Sort = Literal["number", "flag", "name", "list", "space", "piece", "player"]
"""The type of a column: a number, a flag, the name of a row, a list, or a space, piece or player."""

_SILENT = ("no", NOTHING, "")


@attrs.frozen
class Column:
    """A column of a row: its name in the rules, its title, and its value as a name and as text."""

    name: str
    title: str
    value: str
    text: str
    sort: Sort

    @property
    def is_silent(self) -> bool:
        """Return whether the row has no value in the column."""
        return self.text in _SILENT


@attrs.frozen(cache_hash=True)
class Face:
    """A row in the table of a kind of pieces or of spaces, with everything that is printed on it.

    `kind` and `row` are names in the rules, and `title` is shown to people. `words` is the text on
    the row, and `clauses` are the rulebook clauses that its effects cite. `owner` is the seat to
    which the row belongs, or -1.
    """

    kind: str
    row: str
    title: str
    columns: tuple[Column, ...] = ()
    words: str = ""
    clauses: tuple[str, ...] = ()
    owner: int = -1

    def column(self, name: str) -> Column | None:
        """Return the column named `name`. If there is none, return None."""
        return next((column for column in self.columns if column.name == name), None)


@attrs.frozen
class Edge:
    """A link between two spaces. If the link is itself a space, `space` is its number; otherwise `space` is -1.

    If no third space links the two, `column` is the column in which the first space names the
    second.
    """

    start: int
    end: int
    space: int = -1
    column: str = ""


@attrs.frozen
class Network:
    """The links between the spaces of a kind, and for each space the space that contains it (-1 if none does)."""

    edges: tuple[Edge, ...]
    parents: tuple[int, ...]


@attrs.frozen(eq=False)
class Faces:
    """The faces of one compiled game, each computed at the first request."""

    viewer: Viewer
    _pieces: dict[int, Face] = attrs.field(init=False, factory=dict)
    _spaces: dict[int, Face] = attrs.field(init=False, factory=dict)
    _networks: dict[str, Network] = attrs.field(init=False, factory=dict)

    def of_piece(self, piece: int) -> Face:
        """Return the face of a piece."""
        found = self._pieces.get(piece)
        if found is None:
            kind = self.viewer.kind_of(piece)
            owner = kind.owners[piece - kind.first] if kind.owners else -1
            found = self._pieces[piece] = self._face(kind, "piece", piece, owner)
        return found

    def of_space(self, space: int) -> Face:
        """Return the face of a space."""
        found = self._spaces.get(space)
        if found is None:
            found = self._spaces[space] = self._face(self.kind_of_space(space), "space", space, -1)
        return found

    def kind_of_space(self, space: int) -> SpaceKind:
        """Return the kind of a space."""
        return next(
            kind for kind in self._program.spaces if kind.first <= space < kind.first + kind.count
        )

    def kind_of_row(self, names: Sequence[str] | None, domain: int) -> str | None:
        """Return the kind of the space that a value names.

        Returns "" if no space or several spaces have the name. Returns None if values of the given
        domain do not name spaces.
        """
        if domain < 0 or self._sort(domain) != "space":
            return None
        return self._kinds_by_row.get(names[0], "") if names and len(names) == 1 else ""

    @cached_property
    def _kinds_by_row(self) -> Mapping[str, str]:
        named = Counter(row for kind in self._program.spaces for row in kind.rows)
        return {
            row: kind.name for kind in self._program.spaces for row in kind.rows if named[row] == 1
        }

    def every_piece(self) -> Iterator[tuple[Face, int]]:
        """Yield each row of all kinds of pieces once, with the number of its copies."""
        for kind in self._program.pieces:
            for row in dict.fromkeys(kind.rows):
                yield self.of_piece(kind.first + kind.rows.index(row)), kind.rows.count(row)

    @property
    def _program(self) -> Program:
        return self.viewer.program

    @cached_property
    def _link_kinds(self) -> dict[str, tuple[str, str, str]]:
        """Map each kind of linking spaces to the kind that they link, and to the two columns that name the ends."""
        found = {}
        for kind in self._program.spaces:
            ends = [
                (name, target.name)
                for name, domain, table in kind.columns
                if self._sort(domain) == "space"
                and (target := self._target(kind, table)) is not None
                and target.name != kind.name
            ]
            if len(ends) == 2 and ends[0][1] == ends[1][1] and not kind.places:
                found[kind.name] = (ends[0][1], ends[0][0], ends[1][0])
        return found

    def is_link(self, kind: SpaceKind) -> bool:
        """Return whether each space of a kind links two spaces of another kind."""
        return kind.name in self._link_kinds

    def network(self, kind: SpaceKind) -> Network:
        """Return the links between the spaces of a kind, and the spaces of other kinds that contain them."""
        found = self._networks.get(kind.name)
        if found is None:
            found = Network(tuple(self._edges(kind)), tuple(self._parents(kind)))
            self._networks[kind.name] = found
        return found

    @cached_property
    def kinds_in(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Map each place, given by owner and name, to the kinds of pieces that may be in it."""
        return {(info.owner, info.name): info.kinds for info in self._program.places}

    @cached_property
    def domains_of(self) -> dict[tuple[str, str], int]:
        """Map each stored value, given by owner and name, to its domain."""
        return {(kept.owner, kept.name): kept.domain for kept in self._program.kept}

    @cached_property
    def piece_kinds(self) -> frozenset[str]:
        """Return the names of the kinds of pieces."""
        return frozenset(kind.name for kind in self._program.pieces)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """Return the names of those things of the table and of spaces which the boards already
        show.
        """
        return frozenset(name for board in self._program.boards for name in board.spoken)

    @cached_property
    def spoken_of_players(self) -> frozenset[str]:
        """Return the names of the players' things that the boards already show."""
        return frozenset(name for board in self._program.boards for name in board.of_players)

    @property
    def link_kinds(self) -> tuple[str, ...]:
        """Return the kinds of spaces that link other spaces."""
        return tuple(self._link_kinds)

    def _edges(self, kind: SpaceKind) -> Iterator[Edge]:
        for name, (of, first, second) in self._link_kinds.items():
            if of == kind.name:
                link = next(each for each in self._program.spaces if each.name == name)
                starts, ends = self._numbers(link, first), self._numbers(link, second)
                for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
                    if start >= 0 and end >= 0:
                        yield Edge(start, end, link.first + at)
        for name, domain, table in kind.columns:
            if self._sort(domain) == "space" and self._target(kind, table) == kind:
                for at, end in enumerate(self._numbers(kind, name)):
                    if end >= 0 and end != kind.first + at:
                        yield Edge(kind.first + at, end, column=name)

    def _parents(self, kind: SpaceKind) -> Iterator[int]:
        if not self.is_link(kind):
            for name, domain, table in kind.columns:
                target = self._target(kind, table) if self._sort(domain) == "space" else None
                if target is not None and target != kind:
                    yield from self._numbers(kind, name)
                    return
        yield from [-1] * kind.count

    def _numbers(self, kind: SpaceKind, column: str) -> list[int]:
        """Return the spaces that a column names, one for each row: -1 if a row names none or several."""
        table = next(table for name, _, table in kind.columns if name == column)
        values = self._program.tables[table]
        return [value if isinstance(value, int) else -1 for value in values[: kind.count]]

    def _target(self, kind: SpaceKind, table: int) -> SpaceKind | None:
        """Return the kind of the spaces in a column.

        Returns None if a row names several spaces, or if the spaces are of different kinds.
        """
        values = self._program.tables[table][: kind.count]
        if not all(isinstance(value, int) for value in values):
            return None
        found = {
            self.kind_of_space(value).name
            for value in values
            if isinstance(value, int) and value >= 0
        }
        if len(found) != 1:
            return None
        return next(each for each in self._program.spaces if each.name in found)

    def _sort(self, domain: int) -> Sort:
        if domain == self._program.player_domain:
            return "player"
        match self._program.domains[domain].name:
            case "flag" | "Flag":
                return "flag"
            case "space":
                return "space"
            case "piece":
                return "piece"
            case "number":
                return "number"
            case _:
                return "name"

    def _face(self, kind: PieceKind | SpaceKind, sort: str, number: int, owner: int) -> Face:
        at = number - kind.first
        title = self.viewer.words.thing(sort, number) or kind.rows[at]
        columns = tuple(
            self._column(name, domain, table, at)
            for name, domain, table in kind.columns
            if not name.startswith("copies")
        )
        words = kind.words[at] if kind.words else ""
        clauses = kind.clauses[at] if kind.clauses else ()
        parts = kind.name, kind.rows[at], readable_name(title), columns, words, clauses, owner
        found = _EQUAL.get(parts)
        if found is None:
            found = _EQUAL[parts] = Face(*parts)
        return found

    def _column(self, name: str, domain: int, table: int, at: int) -> Column:
        words, value = self.viewer.words, self._program.tables[table][at]
        sort = self._sort(domain)
        if not isinstance(value, int):
            items: Sequence[int] = value  # type: ignore[assignment]  # lists in columns contain numbers
            names = " ".join(words.name(domain, item) for item in items)
            return Column(
                name, readable_name(name), names, words.text(domain, tuple(items)), "list"
            )
        if sort == "flag":
            text = "yes" if value else "no"
            return Column(name, readable_name(name), text, text, sort)
        return Column(
            name,
            readable_name(name),
            words.name(domain, value),
            readable_name(words.text(domain, value)),
            sort,
        )


def readable_name(name: str) -> str:
    """Replace the underscores in a name with blanks, so that people can read it."""
    return name.replace("_", " ")


_EQUAL: WeakValueDictionary[object, Face] = WeakValueDictionary()
"""The faces in use, keyed by their parts. Games that differ only in the names of players share them."""
_FACES: WeakKeyDictionary[CompiledGame, Faces] = WeakKeyDictionary()
"""The faces of each game in use."""


def faces_of(compiled: CompiledGame) -> Faces:
    """Return the faces of a compiled game."""
    found = _FACES.get(compiled)
    if found is None:
        found = _FACES[compiled] = Faces(compiled.viewer)
    return found
