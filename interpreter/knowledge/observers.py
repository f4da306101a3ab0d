"""Makes observations and encodings of one or more states, either in native code with tables or in Python.

The kernels are `sight` and `coding` in `rulewright.interpreter.engines.kernels`. `visible_cells`
lists the cells that each player sees.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from threading import Lock
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import SITE
from rulewright.interpreter.engines.engine import NativeTrials, Sights
from rulewright.interpreter.engines.kernels import coding, sight
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.knowledge import visible_cells
from rulewright.interpreter.knowledge.encoding import EncodedPart, plan_encodings
from rulewright.interpreter.knowledge.observation import (
    ASKED,
    HEAD,
    Part,
    ReferenceObserver,
    size_of,
)
from rulewright.interpreter.knowledge.question_numbers import DEPTH, question_rows
from rulewright.interpreter.knowledge.search_tables import tell_search
from rulewright.interpreter.knowledge.visible_cells import (
    CellGroup,
    Eyes,
    Lists,
    Run,
    Sums,
    groups_of,
    width_of,
)
from rulewright.interpreter.text.errors import WrongArgumentError
from rulewright.interpreter.text.kinds import refuses_wrong_kinds
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"
_Row: TypeAlias = tuple[int, int, int, int, int, int]


Encoded: TypeAlias = Literal["float32", "uint8"]
"""The type of the numbers in an encoding: from 0 to 1, or rounded integers from 0 to 255."""
_CODES: dict[Encoded, str] = {"float32": "f", "uint8": "B"}


@attrs.define(eq=False)
class Observer:
    """Makes observations of one variant. An observation is an array, which has the same length for
    all states of the variant."""

    reference: ReferenceObserver
    """Makes the same observations in Python."""
    _cells: int
    """The number of cells of a state."""
    _tree: Tree
    """The tables of observations and encodings."""
    _native: NativeTrials | None
    """The engine, if it has native code for observations."""
    size: int = attrs.field(init=False)
    """The length of an observation."""
    _sights: Sights | None = attrs.field(init=False, default=None)
    _planned: tuple[EncodedPart, ...] = attrs.field(init=False, default=())
    _planning: Lock = attrs.field(init=False, factory=Lock)

    def __attrs_post_init__(self) -> None:
        self.size = size_of(self.reference)
        if self._native is not None:
            self._sights = self._native.observing(self._tree)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return the parts of an observation: the name, start, length and number type of each part."""
        return self.reference.parts

    @property
    def encoded_parts(self) -> tuple[EncodedPart, ...]:
        """Return the parts of an encoding. They are computed at the first use."""
        with self._planning:
            if not self._planned:
                t = copy(self._tree)
                planned = plan_encodings(self.reference, t)
                if self._native is not None:
                    self._sights = self._native.observing(t)
                self._tree, self._planned = t, planned
        return self._planned

    @property
    def encoded_size(self) -> int:
        """Return the length of an encoding."""
        last = self.encoded_parts[-1]
        return last.start + last.length

    @refuses_wrong_kinds
    def observe(self, cells: Cells, player: int) -> Cells:
        """Return a player's observation of a state."""
        if self._sights is None:
            self._watchers(cells, (player,))
            return self.reference.observe(cells, player)
        found: Cells = self.observe_many(cells, (player,))
        return found

    @refuses_wrong_kinds
    def observe_many(self, cells: Cells, players: Sequence[int], into: Any = None) -> Any:
        """Return the observations of several states, each by one player. `cells` contains the states one after another.

        If `into` (an array of 32-bit integers) is given, the observations are written to it.
        """
        return self.observe_all(cells, self._watchers(cells, players), into)

    def observe_all(self, cells: Cells, players: Cells, into: Any = None) -> Any:
        """Return the same as `observe_many`, without checking the cells and players."""
        size = self.size
        found = zeros("i", size * len(players)) if into is None else into
        room = room_in(found, "i", size * len(players))
        if self._sights is None:
            for number, player in enumerate(players):
                seen = self.reference.observe(self._state(cells, number), player)
                room[4 * size * number : 4 * size * (number + 1)] = memoryview(seen).cast("B")
            return found
        for number in self._sights.observe(cells, players, room):
            state = self._state(cells, number)
            asked = array("i", self.reference.question_numbers(state, state[SITE]))
            place = 4 * (number * size + HEAD)
            room[place : place + 4 * ASKED] = memoryview(asked).cast("B")
        return found

    @refuses_wrong_kinds
    def encode(self, cells: Cells, player: int, dtype: Encoded = "float32") -> array[Any]:
        """Return a player's observation in the form that a neural network takes as input."""
        found: array[Any] = self.encode_many(cells, (player,), dtype)
        return found

    @refuses_wrong_kinds
    def encode_many(
        self,
        cells: Cells,
        players: Sequence[int],
        dtype: Encoded = "float32",
        into: Any = None,
    ) -> Any:
        """Return the encodings of several states, each for one player. `cells` contains the states one after another.

        If `into` (an array of `dtype`) is given, the encodings are written to it.
        """
        return self.encode_all(cells, self._watchers(cells, players), dtype, into)

    def encode_all(
        self, cells: Cells, players: Cells, dtype: Encoded = "float32", into: Any = None
    ) -> Any:
        """Return the same as `encode_many`, without checking the cells and players."""
        code, size = _CODES[dtype], self.encoded_size
        found = zeros(code, size * len(players)) if into is None else into
        room = room_in(found, code, size * len(players))
        left: Iterable[int] = range(len(players))
        if self._sights is not None:
            left = self._sights.encode(cells, players, room, code == "B")
        width = size * (1 if code == "B" else 4)
        for number in left:
            state, player = self._state(cells, number), players[number]
            self._encode_seen(
                self.observe(state, player),
                player,
                room[number * width : (number + 1) * width],
                code,
            )
        return found

    def run(self, task: Callable[[Tree, int], int], given: Mapping[str, Any], count: int) -> int:
        """Run a kernel on a tree with the given fields, natively if the engine has native code."""
        if self._sights is not None:
            return self._sights.run(task.__name__, given, count)
        t = copy(self._tree)
        for name, value in given.items():
            setattr(t, name, value)
        return task(t, count)

    def _encode_seen(self, seen: Cells, player: int, room: memoryview, code: str) -> None:
        watchers = array("i", (player,))
        if self._sights is not None:
            self._sights.encode_seen(seen, watchers, room, code == "B")
            return
        t = copy(self._tree)
        t.seen, t.watchers, t.in_bytes = seen, watchers, code == "B"
        t.coded = zeros("f", self.encoded_size)
        t.coded_bytes = zeros("B", self.encoded_size if t.in_bytes else 0)
        coding.encode(t, 1)
        room[:] = memoryview(t.coded_bytes if t.in_bytes else t.coded).cast("B")

    def _watchers(self, cells: Cells, players: Sequence[int]) -> Cells:
        """Convert the players to an array.

        Raises an error if a seat does not exist, or if the cells are not those of this variant's
        states.
        """
        seats = self.reference.program.seats
        if players and not (min(players) >= 0 and max(players) < seats):
            raise WrongArgumentError(f"a player is 0 to {seats - 1} here, not {[*players]}")
        if len(cells) != self._cells * len(players):
            wanted = f"{self._cells:,} cells for each player"
            raise WrongArgumentError(f"there are {wanted}, and {len(cells):,} were given")
        return players if isinstance(players, array) else array("i", players)

    def _state(self, cells: Cells, number: int) -> Cells:
        mine = memoryview(cells)[number * self._cells : (number + 1) * self._cells]
        return array("i", mine.tobytes())


def zeros(code: str, count: int) -> array[Any]:
    """Return an array of `count` zeros."""
    return array(code, bytes(array(code).itemsize * count))


def room_in(given: Any, code: str, count: int) -> memoryview:
    """Return the bytes of an array that is filled in place.

    Raises an error unless the array is contiguous and has `count` numbers of the type `code`.
    """
    wanted = f"{count} numbers of {_NAMES[code]}"
    try:
        view = memoryview(given)
    except TypeError:
        raise WrongArgumentError(f"`into` is an array of {wanted}") from None
    fits = view.format in _LIKE[code] and view.itemsize == array(code).itemsize
    if not fits or not view.c_contiguous or view.readonly or view.nbytes != count * view.itemsize:
        raise WrongArgumentError(f"`into` is an array of {wanted} that can be written")
    return view.cast("B")


_NAMES = {"i": "int32", "f": "float32", "B": "uint8"}
_LIKE = {"i": "il", "f": "f", "B": "B"}
_OBSERVERS: WeakKeyDictionary[CompiledGame, Observer] = WeakKeyDictionary()


@refuses_wrong_kinds
def observer_of(compiled: CompiledGame) -> Observer:
    """Return the observer of a compiled variant (`state.compiled`)."""
    found = _OBSERVERS.get(compiled)
    if found is None:
        engine = compiled.engine
        reference = ReferenceObserver(compiled.viewer, engine)
        native = engine if isinstance(engine, NativeTrials) and engine.searches else None
        t = Tree(0, 0, 0, 0, 0, 0, 0, 0) if native is None else _tree_of(compiled, reference)
        found = _OBSERVERS[compiled] = Observer(reference, compiled.program.size, t, native)
    return found


def _tree_of(compiled: CompiledGame, observer: ReferenceObserver) -> Tree:
    program = compiled.program
    t = Tree(program.seats, 0, 0, 0, 0, 0, 0, 0)
    tell_search(t, compiled)
    t.seen_size = size_of(observer)
    t.site_own = array("b", (site.own for site in program.sites))
    plans = _Plans(compiled, observer.groups)
    for block in range(len(program.apart) + 1):
        for seat in range(program.seats):
            plans.add(Eyes(compiled.viewer, seat, block))
    t.sights, t.sight, t.sight_group, t.sight_zone = plans.tables()
    t.sight_question, t.sight_asked = question_rows(program)
    t.sight_stack = zeros("q", DEPTH)
    t.sight_slot = zeros(
        "q", max((len(cell_group.owners) for cell_group in observer.groups), default=0)
    )
    return t


@attrs.define(eq=False)
class _Plans:
    """The rows of the plans for observations, and the tables to which the rows refer."""

    _compiled: CompiledGame
    _cell_groups: Sequence[CellGroup]
    _rows: list[_Row] = attrs.field(init=False, factory=list)
    _ends: list[int] = attrs.field(init=False, factory=lambda: [0])
    _more: list[list[_Row]] = attrs.field(init=False, factory=list)
    """The rows to which other rows refer. They come after all other rows."""
    _referring: list[tuple[int, int]] = attrs.field(init=False, factory=list)
    """The rows that refer to rows in `_more`, as pairs of a row and an index of `_more`."""
    _groups: list[int] = attrs.field(init=False, factory=list)
    _zones: list[int] = attrs.field(init=False, factory=list)

    def _add_row(self, row: _Row) -> None:
        """Add a row, or merge it with the last row if the two are adjacent."""
        last = self._rows[-1] if len(self._rows) > self._ends[-1] else None
        if last is not None and last[0] == row[0] == sight.COPY and last[2] == row[1]:
            self._rows[-1] = sight.COPY, last[1], *row[2:]
        elif last is not None and last[0] == row[0] == sight.FILL:
            self._rows[-1] = sight.FILL, last[1] + row[1], *row[2:]
        else:
            self._rows.append(row)

    def add(self, eyes: Eyes) -> None:
        """Add the plan of one player."""
        program = self._compiled.program
        self._add_row((sight.COPY, program.in_play, program.in_play + program.seats, 1, 0, 0))
        for cell_group in self._cell_groups:
            self._add_group(eyes, cell_group)
        for kind in program.pieces:
            owners = range(kind.first, kind.first + kind.count)
            self._add_pieces(sight.PIECES, owners, groups_of(kind.rows), 2, None)
        self._ends.append(len(self._rows))
        for zone in range(program.links.zones):
            self._zones.extend(eyes.of_zone(zone))

    def _add_group(self, eyes: Eyes, cell_group: CellGroup) -> None:
        shown = [eyes.of_owner(cell_group, n, owner) for n, owner in enumerate(cell_group.owners)]
        kind = next((k for k in self._compiled.program.pieces if k.name == cell_group.owner), None)
        rows, width = [_plain(part) for part in shown], width_of(cell_group)
        if cell_group.cell_of >= 0:
            self._refer((sight.GROWING, cell_group.cell_of, len(shown), width, 0, 0), rows)
        elif kind is None or all(isinstance(part, array) for part in shown):
            for row in rows:
                self._add_row(row)
        else:
            names = [kind.rows[owner - kind.first] for owner in cell_group.owners]
            self._add_pieces(sight.ON_PIECES, cell_group.owners, groups_of(names), width, rows)

    def _add_pieces(
        self,
        what: int,
        owners: Sequence[int],
        groups: Sequence[Sequence[int]],
        width: int,
        rows: list[_Row] | None,
    ) -> None:
        first = len(self._groups)
        self._groups += owners
        place = len(self._groups)
        for group in groups:
            self._groups += (len(group), *group)
        self._refer((what, first, len(groups), width, 0, place), rows or [])

    def _refer(self, row: _Row, rows: list[_Row]) -> None:
        self._referring.append((len(self._rows), len(self._more)))
        self._rows.append(row)
        self._more.append(rows)

    def tables(self) -> Iterator[array[int]]:
        """Yield the starts of the plans, their rows, the pieces and groups in the rows, and the zones of each plan."""
        rows = [*self._rows]
        for number, part in self._referring:
            what, first, count, width, _, place = rows[number]
            rows[number] = what, first, count, width, len(rows), place
            rows += self._more[part]
        yield array("q", self._ends)
        yield array("q", (number for row in rows for number in row))
        yield array("q", self._groups)
        yield array("q", self._zones)


def _plain(part: visible_cells.Part) -> _Row:
    match part:
        case Run(first, last):
            return sight.COPY, first, last, 1, 0, 0
        case Lists(first, last, step):
            return sight.LISTED, first, last, step, 0, 0
        case Sums(first, last, step):
            return sight.ADDED, first, last, step, 0, 0
        case array():
            return sight.FILL, len(part), 0, 0, 0, 0
        case _:
            raise TypeError(part)
