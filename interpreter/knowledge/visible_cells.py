"""Reads one player's observation of a state from the cells of the state, using a list of steps that
is prepared in advance.

The visibility of places is the same in all states, except in simultaneous blocks. So there is a
list of steps for each pair of a player and a simultaneous block. See `observation.py`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import prod
from operator import itemgetter
from typing import TypeAlias

from attrs import define, field, frozen

from rulewright.dsl.ir import Kept, PieceKind, PlaceInfo, Program, TokenPlace
from rulewright.interpreter.views.view import AT_ONCE
from rulewright.interpreter.views.viewer import Viewer

HIDDEN = -(2**31)
"""The number that represents information hidden from a player."""
NONE = -(2**31) + 1
"""The number that stands for an absent thing, such as a missing item of a list or an unused space."""

Cells: TypeAlias = "array[int]"
CellGroup: TypeAlias = Kept | PlaceInfo | TokenPlace
Reader: TypeAlias = "Callable[[Cells], Sequence[int]]"
_Pair: TypeAlias = "tuple[int, int]"

_UNKNOWN: _Pair = (HIDDEN, HIDDEN)
_NOWHERE: _Pair = (NONE, 0)


@frozen
class Run:
    """A range of cells that are shown directly."""

    first: int
    last: int


Part: TypeAlias = "Run | array[int] | Reader"
"""A shown part: cells, constant numbers, or a computed part."""


def tell(part: Part, cells: Cells, found: Cells) -> None:
    """Append the numbers of a part to `found`."""
    if isinstance(part, Run):
        found.extend(cells[part.first : part.last])
    elif isinstance(part, array):
        found.extend(part)
    else:
        found.extend(part(cells))


@define(eq=False)
class Steps:
    """The parts of an observation in order. Adjacent ranges of cells are merged."""

    parts: list[Part] = field(factory=list)

    def add(self, part: Part) -> None:
        """Append a part."""
        last = self.parts[-1] if self.parts else None
        if isinstance(part, Run) and isinstance(last, Run) and last.last == part.first:
            self.parts[-1] = Run(last.first, part.last)
        elif isinstance(part, array) and isinstance(last, array):
            self.parts[-1] = last + part
        else:
            self.parts.append(part)


@define(eq=False)
class Eyes:
    """Plans the observation of one player for states in the given simultaneous block (0: outside of
    all such blocks)."""

    viewer: Viewer
    player: int
    block: int
    _sees: list[bool] = field(init=False)
    """For each zone, whether the player sees its pieces. The last entry is for pieces outside of all zones."""
    _shows: list[bool] = field(init=False)
    """For each zone, whether the player knows those of its pieces that were shown."""
    _codes: list[_Pair] = field(init=False)
    """For each zone, its code, unless it is on a growing grid or its order is shown."""
    _ordered: dict[int, int] = field(init=False, factory=dict)
    """The codes of zones whose order is shown."""
    _grown: dict[int, tuple[int, int, int, bool]] = field(init=False, factory=dict)
    """For each zone of a growing grid, its code, the cell of its space, its width, and whether its order is shown."""

    @property
    def program(self) -> Program:
        """Return the program of the observed states."""
        return self.viewer.program

    def __attrs_post_init__(self) -> None:
        zones = self.program.links.zones
        self._sees = [True] * (zones + 1)
        self._shows = [False] * (zones + 1)
        self._codes = [_NOWHERE] * (zones + 1)
        code = 0
        for place in self.program.places:
            each = prod(place.sizes)
            apart = self._is_apart(place)
            for position, owner in enumerate(place.owners):
                sees = self.viewer.may_see(place, owner, self.player)
                for number in range(each):
                    zone = place.first + position * place.stride + number
                    self._sees[zone] = sees
                    self._shows[zone] = not sees and not apart
                    ordered = sees and place.shape != "set"
                    if place.cell_of >= 0:
                        cell = place.cell_of + position
                        self._grown[zone] = code + number, cell, each, ordered
                    else:
                        self._codes[zone] = code, 0
                        if ordered:
                            self._ordered[zone] = code
                        code += 1
            if place.cell_of >= 0:
                kind = next(k for k in self.program.spaces if k.name == place.owner)
                code += each * (kind.first + kind.count)

    def of_zone(self, zone: int) -> tuple[int, int, int, int, int, int]:
        """Return the code of a zone, the cell of its space (-1 if it has none), its width, and three flags.

        The flags say whether the order of its pieces is shown, whether the zone is visible, and
        whether its pieces may have been shown.
        """
        code, cell, width, ordered = self._codes[zone][0], -1, 0, zone in self._ordered
        if zone in self._grown:
            code, cell, width, ordered = self._grown[zone]
        return code, cell, width, ordered, self._sees[zone], self._shows[zone]

    def _is_apart(self, cell_group: PlaceInfo | TokenPlace) -> bool:
        apart = self.program.apart[self.block - 1] if self.block else ()
        return cell_group.owner == "player" and cell_group.name in apart

    def _is_counted(self, cell_group: PlaceInfo | TokenPlace) -> bool:
        return "size" in cell_group.except_for and (
            AT_ONCE in cell_group.except_for or not self._is_apart(cell_group)
        )

    # ---- groups ----

    def cell_group(self, cell_group: CellGroup) -> list[Part]:
        """Return the shown parts of all owners of a group of values, zones or tokens."""
        shown_parts = [
            self.of_owner(cell_group, position, owner)
            for position, owner in enumerate(cell_group.owners)
        ]
        if cell_group.cell_of >= 0:
            return [_growing(cell_group, shown_parts, width_of(cell_group))]
        kind = next((k for k in self.program.pieces if k.name == cell_group.owner), None)
        if kind is not None:
            return self._on_pieces(cell_group, kind, shown_parts)
        return shown_parts

    def of_owner(self, cell_group: CellGroup, position: int, owner: int) -> Part:
        """Return the shown part of one owner of a group, as though all pieces and spaces were known."""
        width = width_of(cell_group)
        sees = self.viewer.may_see(cell_group, owner, self.player)
        match cell_group:
            case Kept():
                first = cell_group.base + position * cell_group.stride
                if not sees:
                    return array("i", (HIDDEN,) * width)
                if cell_group.list_capacity:
                    return Lists(first, first + width, cell_group.list_capacity + 1)
                return Run(first, first + width)
            case PlaceInfo():
                first = self.program.links.count + cell_group.first + position * cell_group.stride
                if sees or self._is_counted(cell_group):
                    return Run(first, first + width)
                if cell_group.as_begun >= 0 and self._is_apart(cell_group):
                    first = cell_group.as_begun + position * cell_group.stride
                    return Run(first, first + width)
                return array("i", (HIDDEN,) * width)
            case TokenPlace():
                first = cell_group.base + position * cell_group.stride
                if sees:
                    return Run(first, first + width)
                if "size" not in cell_group.except_for:
                    return array("i", (HIDDEN,) * width)
                if not self._is_counted(cell_group):
                    first = cell_group.as_begun + position * cell_group.stride
                return Sums(first, first + width, cell_group.colours)

    def _on_pieces(
        self, cell_group: CellGroup, kind: PieceKind, shown_parts: list[Part]
    ) -> list[Part]:
        """Return the parts of known pieces only. Equal copies are sorted by their numbers."""
        if all(isinstance(part, array) for part in shown_parts):
            return shown_parts
        width = width_of(cell_group)
        hidden = array("i", (HIDDEN,) * width)
        names = [kind.rows[owner - kind.first] for owner in cell_group.owners]
        groups = groups_of(names)
        zones = self.program.links.zone_of
        plain = Steps()
        for part in shown_parts:
            plain.add(part)

        def fill(cells: Cells) -> Sequence[int]:
            known = self._are_known(cells, zones, cell_group.owners)
            found = array("i")
            if len(groups) == len(names) and all(known):
                for part in plain.parts:
                    tell(part, cells, found)
                return found
            for group in groups:
                rows = []
                for position in group:
                    row = array("i")
                    tell(shown_parts[position] if known[position] else hidden, cells, row)
                    rows.append(row)
                for row in sorted(rows) if len(rows) > 1 else rows:
                    found.extend(row)
            return found

        return [fill]

    # ---- pieces ----

    def _are_known(self, cells: Cells, zones: int, pieces: Sequence[int]) -> list[bool]:
        sees, shows, shown = self._sees, self._shows, self.program.links.known
        if shown < 0:
            return [sees[cells[zones + piece]] for piece in pieces]
        player = self.player
        return [
            sees[zone] or (shows[zone] and cells[shown + piece] >> player & 1 == 1)
            for piece in pieces
            for zone in (cells[zones + piece],)
        ]

    def pieces(self, kind: PieceKind) -> Reader:
        """Return a reader of the zone and the place of each piece of a kind. Equal copies are
        sorted by these two numbers."""
        links = self.program.links
        first, last = kind.first, kind.first + kind.count
        zones, shown = links.zone_of, links.known
        sees, shows, codes = self._sees, self._shows, self._codes
        ordered, grown, player = self._ordered, self._grown, self.player
        sorts = any(
            kind.name in place.kinds and (place.shape != "set" or place.cell_of >= 0)
            for place in self.program.places
        )
        blind = not all(sees)
        groups = groups_of(kind.rows)
        in_order = list(chain.from_iterable(groups)) == list(range(kind.count))
        pick = None if in_order or kind.count < 2 else itemgetter(*chain.from_iterable(groups))
        several, start = [], 0
        for group in groups:
            if len(group) > 1:
                several.append((start, start + len(group)))
            start += len(group)

        def fill(cells: Cells) -> Iterable[int]:
            lying = cells[zones + first : zones + last]
            if sorts:
                heights: dict[int, dict[int, int]] = {}
                pairs = [
                    self._place(cells, piece, zone, heights)
                    if zone in ordered or zone in grown
                    else codes[zone]
                    for piece, zone in enumerate(lying, first)
                ]
            else:
                pairs = [codes[zone] for zone in lying]
            if blind:
                if shown < 0:
                    pairs = [
                        pair if sees[zone] else _UNKNOWN
                        for pair, zone in zip(pairs, lying, strict=True)
                    ]
                else:
                    bits = cells[shown + first : shown + last]
                    pairs = [
                        pair if sees[zone] or (shows[zone] and bit >> player & 1) else _UNKNOWN
                        for pair, zone, bit in zip(pairs, lying, bits, strict=True)
                    ]
            if pick is not None:
                pairs = list(pick(pairs))
            for one, other in several:
                pairs[one:other] = sorted(pairs[one:other])
            return chain.from_iterable(pairs)

        return fill  # type: ignore[return-value]  # an array accepts any iterable

    def _place(
        self, cells: Cells, piece: int, zone: int, heights: dict[int, dict[int, int]]
    ) -> _Pair:
        code = self._ordered.get(zone)
        if code is None:
            start, cell, width, is_shown = self._grown[zone]
            code = start + cells[cell] * width
            if not is_shown:
                return code, 0
        links = self.program.links
        if self.viewer.place_of(zone).shape == "row":
            return code, cells[links.slot_of + piece]
        if cells[links.count + zone] == 1:
            return code, 1
        if zone not in heights:
            heights[zone] = {p: h for h, p in enumerate(self.viewer.lying(cells, zone), 1)}
        return code, heights[zone][piece]


def place_codes(program: Program) -> int:
    """Count the numbers for places of pieces: for zones, and for zones on spaces of growing grids."""
    total = 0
    for place in program.places:
        each, owners = prod(place.sizes), len(place.owners)
        if place.cell_of >= 0:
            kind = next(k for k in program.spaces if k.name == place.owner)
            owners = kind.first + kind.count
        total += each * owners
    return total


def width_of(cell_group: CellGroup) -> int:
    """Return how many numbers are shown for each owner."""
    width = prod(cell_group.sizes)
    match cell_group:
        case Kept():
            return width * (cell_group.list_capacity + 1 if cell_group.list_capacity else 1)
        case PlaceInfo():
            return width
        case TokenPlace():
            return width * cell_group.colours


def groups_of(rows: Sequence[str]) -> list[list[int]]:
    """Return, for each distinct name, the list of its positions."""
    by_name: dict[str, list[int]] = {}
    for position, row in enumerate(rows):
        by_name.setdefault(row, []).append(position)
    return list(by_name.values())


@frozen
class Lists:
    """Reads lists, each stored as its length and its items."""

    first: int
    last: int
    step: int

    def __call__(self, cells: Cells) -> Sequence[int]:
        """Return the lists, padded to their maximum length."""
        found = array("i")
        for start in range(self.first, self.last, self.step):
            count = cells[start]
            found.extend(cells[start : start + 1 + count])
            found.extend([NONE] * (self.step - 1 - count))
        return found


@frozen
class Sums:
    """Reads the number of tokens of all colours in each place."""

    first: int
    last: int
    step: int

    def __call__(self, cells: Cells) -> Sequence[int]:
        """Return the sums, each followed by `HIDDEN` in place of the individual colours."""
        found: list[int] = []
        for start in range(self.first, self.last, self.step):
            found.append(sum(cells[start : start + self.step]))
            found.extend([HIDDEN] * (self.step - 1))
        return found


def _growing(cell_group: CellGroup, shown_parts: Sequence[Part], width: int) -> Reader:
    """Return a reader of the used spaces of a growing grid, in the order of the spaces."""
    first, last = cell_group.cell_of, cell_group.cell_of + len(cell_group.owners)
    empty = array("i", (NONE,) * ((width + 1) * len(cell_group.owners)))

    def fill(cells: Cells) -> Sequence[int]:
        found = array("i")
        used = [(space, slot) for slot, space in enumerate(cells[first:last]) if space >= 0]
        for space, slot in sorted(used):
            found.append(space)
            tell(shown_parts[slot], cells, found)
        found.extend(empty[len(found) :])
        return found

    return fill
