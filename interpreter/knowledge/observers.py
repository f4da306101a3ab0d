"""Observations of one or many states: in native code by tables, or in Python by their definition.

The kernels are in `rulewright.interpreter.engines.kernels.sight`. `visible_cells` says what each player sees.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import BOUND, PLAYER, SITE
from rulewright.interpreter.engines.engine import NativeTrials
from rulewright.interpreter.engines.kernels import sight
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.knowledge import visible_cells
from rulewright.interpreter.knowledge.observation import (
    ASKED,
    HEAD,
    Part,
    ReferenceObserver,
    size_of,
)
from rulewright.interpreter.knowledge.search_tables import tell_search
from rulewright.interpreter.knowledge.visible_cells import (
    Eyes,
    Family,
    Lists,
    Run,
    Sums,
    groups_of,
    width_of,
)
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"
_Row: TypeAlias = tuple[int, int, int, int, int, int]


@attrs.define(eq=False)
class Observer:
    """Makes observations of one variant: arrays of one length for all its states."""

    reference: ReferenceObserver
    """Makes the same observations in Python."""
    _size: int
    """How many cells a state has."""
    _sights: Callable[[Cells, Cells, Cells], None] | None
    """Native code, where the engine has it."""
    size: int = attrs.field(init=False)
    """The length of an observation."""

    def __attrs_post_init__(self) -> None:
        self.size = size_of(self.reference)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of an observation: their names, starts and lengths."""
        return self.reference.parts

    def observe(self, cells: Cells, player: int) -> Cells:
        """A player's observation of these cells."""
        if self._sights is None:
            return self.reference.observe(cells, player)
        return self.observe_many(cells, (player,))

    def observe_many(self, cells: Cells, players: Sequence[int]) -> Cells:
        """The observations of some states that lie one after the other, for one player each."""
        found, size = array("i"), self._size
        if self._sights is None:
            for number, player in enumerate(players):
                found += self.reference.observe(cells[number * size : (number + 1) * size], player)
            return found
        found = array("i", bytes(4 * self.size * len(players)))
        self._sights(cells, array("i", players), found)
        self._fill_asked(cells, players, found)
        return found

    def _fill_asked(self, cells: Cells, players: Sequence[int], found: Cells) -> None:
        """Fill in the numbers in the words of open questions, which native code leaves out."""
        sites = self.reference.program.sites
        for number, player in enumerate(players):
            first = number * self._size
            site = cells[first + SITE]
            if site < 0 or cells[first + PLAYER] != player or cells[first + BOUND]:
                continue
            if sites[site].prompt_arguments:
                asked = self.reference.asked(cells[first : first + self._size], site)
                place = number * self.size + HEAD
                found[place : place + ASKED] = array("i", asked)


_OBSERVERS: WeakKeyDictionary[CompiledGame, Observer] = WeakKeyDictionary()


def observer_of(compiled: CompiledGame) -> Observer:
    """The observer of a compiled variant (`state.compiled`)."""
    found = _OBSERVERS.get(compiled)
    if found is None:
        engine, sights = compiled.engine, None
        reference = ReferenceObserver(compiled.viewer, engine)
        if isinstance(engine, NativeTrials) and engine.searches:
            sights = engine.observing(_tree_of(compiled, reference))
        found = _OBSERVERS[compiled] = Observer(reference, compiled.program.size, sights)
    return found


def _tree_of(compiled: CompiledGame, observer: ReferenceObserver) -> Tree:
    program = compiled.program
    t = Tree(program.seats, 0, 0, 0, 0, 0, 0, 0)
    tell_search(t, compiled)
    t.seen_size = size_of(observer)
    t.site_own = array("b", (site.own for site in program.sites))
    plans = _Plans(compiled, observer.families)
    for block in range(len(program.apart) + 1):
        for seat in range(program.seats):
            plans.add(Eyes(compiled.viewer, seat, block))
    t.sights, t.sight, t.sight_group, t.sight_zone = plans.tables()
    return t


@attrs.define(eq=False)
class _Plans:
    """The rows by which observations are read, and their references."""

    _compiled: CompiledGame
    _families: Sequence[Family]
    _rows: list[_Row] = attrs.field(init=False, factory=list)
    _ends: list[int] = attrs.field(init=False, factory=lambda: [0])
    _more: list[list[_Row]] = attrs.field(init=False, factory=list)
    """Rows that others refer to; they come after all others."""
    _referring: list[tuple[int, int]] = attrs.field(init=False, factory=list)
    """The rows that refer to them: which, and to which of `more`."""
    _groups: list[int] = attrs.field(init=False, factory=list)
    _zones: list[int] = attrs.field(init=False, factory=list)

    def add(self, eyes: Eyes) -> None:
        """Add the plan of one player."""
        program = self._compiled.program
        self._rows.append((sight.COPY, program.in_play, program.in_play + program.seats, 1, 0, 0))
        for family in self._families:
            self._add_family(eyes, family)
        for kind in program.pieces:
            owners = range(kind.first, kind.first + kind.count)
            self._add_pieces(sight.PIECES, owners, groups_of(kind.rows), 2, None)
        self._ends.append(len(self._rows))
        for zone in range(program.links.zones):
            self._zones.extend(eyes.of_zone(zone))

    def _add_family(self, eyes: Eyes, family: Family) -> None:
        told = [eyes.of_owner(family, n, owner) for n, owner in enumerate(family.owners)]
        kind = next((k for k in self._compiled.program.pieces if k.name == family.owner), None)
        rows, width = [_plain(part) for part in told], width_of(family)
        if family.cell_of >= 0:
            self._refer((sight.GROWING, family.cell_of, len(told), width, 0, 0), rows)
        elif kind is None or all(isinstance(part, array) for part in told):
            self._rows += rows
        else:
            names = [kind.rows[owner - kind.first] for owner in family.owners]
            self._add_pieces(sight.ON_PIECES, family.owners, groups_of(names), width, rows)

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
        """Where the plans begin, the rows, the pieces and groups they name, and the zones of each plan."""
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
