"""What a player may know of a state, as numbers in an array of one shape.

The array has the same parts in the same order for all states and players of a variant; `HIDDEN` stands where
something is not known. What a view cannot tell apart gives equal arrays. Refuses to know names that people read.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import prod
from typing import TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE, Kept, PlaceInfo, Program, TokenPlace
from rulewright.interpreter.engines.engine import Engine
from rulewright.interpreter.viewing.variant import Variant
from rulewright.interpreter.viewing.views import Viewer
from rulewright.interpreter.wording.words import Value

HIDDEN = -(2**31)
"""Stands for what a player does not know."""
NONE = -(2**31) + 1
"""Stands where there is nothing: no item of a list, no space in use."""

_ASKED = 8

Cells: TypeAlias = "array[int]"


@attrs.frozen
class Part:
    """Some numbers that belong together: from `start` on, `length` of them."""

    name: str
    what: str
    start: int
    length: int


@attrs.frozen(eq=False)
class Observer:
    """Makes the arrays of one variant."""

    _viewer: Viewer
    _engine: Engine

    @property
    def _program(self) -> Program:
        return self._viewer.program

    def observe(self, cells: Cells, player: int) -> Cells:
        """What a player may know."""
        found = array("i")
        for fill in self._fills[player]:
            found.extend(fill(cells))
        return found

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What each number of an array stands for."""
        start = 0
        found = []
        for name, what, length in self._described():
            found.append(Part(name, what, start, length))
            start += length
        return tuple(found)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        last = self.parts[-1]
        return last.start + last.length

    def _described(self) -> Iterator[tuple[str, str, int]]:
        program = self._program
        yield "player", "who looks", 1
        yield "over", "1 at the end", 1
        yield "decides", "who decides; hidden where that is nobody's affair", 1
        yield "site", "which decision is open, counted from 0", 1
        yield "asked", "numbers in the words of the question, for who is asked", _ASKED
        yield "in play", "for each seat whether it is in the game", program.seats
        for kept in program.kept:
            if kept.listed:
                width = kept.list_capacity + 1 if kept.list_capacity else 1
                each = prod(kept.sizes) * width + (kept.cell_of >= 0)
                yield kept.name, f"value of {kept.owner or 'the table'}", len(kept.owners) * each
        for place in program.places:
            if place.listed:
                each = prod(place.sizes) + (place.cell_of >= 0)
                yield place.name, "how many pieces lie there", len(place.owners) * each
        for tokens in program.tokens:
            if tokens.listed:
                each = prod(tokens.sizes) * tokens.colours + (tokens.cell_of >= 0)
                yield tokens.name, f"how many {tokens.token} lie there", len(tokens.owners) * each
        for kind in program.pieces:
            what = "of each piece where it lies, and at which place there; copies are in order"
            yield kind.name, what, 2 * kind.count

    @cached_property
    def _fills(self) -> tuple[tuple[Callable[[Cells], Sequence[int]], ...], ...]:
        return tuple(tuple(self._filled(player)) for player in range(self._program.seats))

    def _filled(self, player: int) -> Iterator[Callable[[Cells], Sequence[int]]]:
        program = self._program
        yield lambda cells: self._head(cells, player)
        yield lambda cells: self._asked(cells, player)
        yield lambda cells: cells[program.in_play : program.in_play + program.seats]
        for kept in program.kept:
            if kept.listed:
                yield self._kept(kept, player)
        for place in program.places:
            if place.listed:
                yield self._zones(place, player)
        for tokens in program.tokens:
            if tokens.listed:
                yield self._tokens(tokens, player)
        yield from self._pieces(player)

    def _head(self, cells: Cells, player: int) -> tuple[int, int, int, int]:
        site, decides = cells[SITE], cells[PLAYER]
        if cells[BOUND]:
            return player, 0, NONE, NONE
        if site >= 0 and decides != player and self._program.sites[site].own:
            return player, cells[OVER], HIDDEN, HIDDEN
        return player, cells[OVER], decides, site

    def _asked(self, cells: Cells, player: int) -> list[int]:
        if cells[SITE] < 0 or cells[BOUND] or cells[PLAYER] != player:
            return [NONE] * _ASKED
        numbers = list(_flat(self._engine.prompt_arguments(cells)))[:_ASKED]
        return numbers + [NONE] * (_ASKED - len(numbers))

    # ---- values, zones, tokens ----

    def _kept(self, kept: Kept, player: int) -> Callable[[Cells], Sequence[int]]:
        width = kept.list_capacity + 1 if kept.list_capacity else 1
        each = prod(kept.sizes) * width

        def read(cells: Cells, position: int, owner: int) -> Sequence[int]:
            if not self._viewer.may_see(kept, owner, player):
                return (HIDDEN,) * each
            first = kept.base + position * kept.stride
            if not kept.list_capacity:
                return cells[first : first + each]
            found = array("i")
            for start in range(first, first + each, width):
                count = cells[start]
                found.extend(cells[start : start + 1 + count])
                found.extend((NONE,) * (kept.list_capacity - count))
            return found

        return self._owned(kept, player, each, read)

    def _zones(self, place: PlaceInfo, player: int) -> Callable[[Cells], Sequence[int]]:
        each = prod(place.sizes)
        counts = self._program.links.count

        def read(cells: Cells, position: int, owner: int) -> Sequence[int]:
            first = place.first + position * place.stride
            seen = self._viewer.may_see(place, owner, player)
            if seen or self._viewer.is_counted(cells, place):
                return cells[counts + first : counts + first + each]
            if place.as_begun >= 0 and self._viewer.is_apart(cells, place):
                begun = place.as_begun + first - place.first
                return cells[begun : begun + each]
            return (HIDDEN,) * each

        return self._owned(place, player, each, read)

    def _tokens(self, tokens: TokenPlace, player: int) -> Callable[[Cells], Sequence[int]]:
        each = prod(tokens.sizes) * tokens.colours

        def read(cells: Cells, position: int, owner: int) -> Sequence[int]:
            first = tokens.base + position * tokens.stride
            if self._viewer.may_see(tokens, owner, player):
                return cells[first : first + each]
            if "size" not in tokens.except_for:
                return (HIDDEN,) * each
            if not self._viewer.is_counted(cells, tokens):
                first = tokens.as_begun + first - tokens.base
            found = array("i")
            for start in range(first, first + each, tokens.colours):
                found.append(sum(cells[start : start + tokens.colours]))
                found.extend((HIDDEN,) * (tokens.colours - 1))
            return found

        return self._owned(tokens, player, each, read)

    def _owned(
        self,
        family: Kept | PlaceInfo | TokenPlace,
        player: int,
        each: int,
        read: Callable[[Cells, int, int], Sequence[int]],
    ) -> Callable[[Cells], Sequence[int]]:
        """What is read of each owner of a family, one after the other."""
        if family.cell_of >= 0:
            return lambda cells: _growing(family, cells, each, read)
        kind = next((k for k in self._program.pieces if k.name == family.owner), None)
        if kind is not None:
            names = [kind.rows[owner - kind.first] for owner in family.owners]
            groups = _groups(names, family.owners)
            return lambda cells: self._on_pieces(groups, cells, player, each, read)
        owners = tuple(enumerate(family.owners))
        if isinstance(family, Kept) and not family.list_capacity:
            first, last = family.base, family.base + len(owners) * family.stride
            open_to = (self._viewer.may_see(family, owner, player) for _, owner in owners)
            if family.stride == each and all(open_to):
                return lambda cells: cells[first:last]

        def fill(cells: Cells) -> Sequence[int]:
            found = array("i")
            for position, owner in owners:
                found.extend(read(cells, position, owner))
            return found

        return fill

    def _on_pieces(
        self,
        groups: Sequence[Sequence[tuple[int, int]]],
        cells: Cells,
        player: int,
        each: int,
        read: Callable[[Cells, int, int], Sequence[int]],
    ) -> Sequence[int]:
        found = array("i")
        for group in groups:
            rows = [
                tuple(read(cells, position, piece))
                if self._viewer.knows_piece(cells, piece, player)
                else (HIDDEN,) * each
                for position, piece in group
            ]
            for row in sorted(rows):
                found.extend(row)
        return found

    # ---- pieces ----

    @cached_property
    def _codes(self) -> dict[int, tuple[int, int, int]]:
        """For each zone its code, and for zones of growing grids the cell of their space and the width there."""
        codes: dict[int, tuple[int, int, int]] = {}
        code = 0
        for place in self._program.places:
            each = prod(place.sizes)
            for position in range(len(place.owners)):
                for number in range(each):
                    zone = place.first + position * place.stride + number
                    if place.cell_of < 0:
                        codes[zone] = code, -1, 0
                        code += 1
                    else:
                        codes[zone] = code + number, place.cell_of + position, each
            if place.cell_of >= 0:
                kind = next(k for k in self._program.spaces if k.name == place.owner)
                code += each * (kind.first + kind.count)
        return codes

    def _pieces(self, player: int) -> Iterator[Callable[[Cells], Sequence[int]]]:
        for kind in self._program.pieces:
            numbers = range(kind.first, kind.first + kind.count)
            yield self._of_kind(_groups(kind.rows, numbers), player)

    def _of_kind(
        self, groups: Sequence[Sequence[tuple[int, int]]], player: int
    ) -> Callable[[Cells], Sequence[int]]:
        def fill(cells: Cells) -> Sequence[int]:
            found = array("i")
            heights: dict[int, dict[int, int]] = {}
            for group in groups:
                if len(group) == 1:
                    found.extend(self._lies(cells, group[0][1], player, heights))
                    continue
                for where in sorted(
                    self._lies(cells, piece, player, heights) for _, piece in group
                ):
                    found.extend(where)
            return found

        return fill

    def _lies(
        self, cells: Cells, piece: int, player: int, heights: dict[int, dict[int, int]]
    ) -> tuple[int, int]:
        links, viewer = self._program.links, self._viewer
        zone = cells[links.zone_of + piece]
        if zone < 0:
            return NONE, 0
        if not viewer.knows_piece(cells, piece, player):
            return HIDDEN, HIDDEN
        code, cell, width = self._codes[zone]
        if cell >= 0:
            code += cells[cell] * width
        place = viewer.place_of(zone)
        if not viewer.may_see(place, viewer.owner_of(zone), player) or place.shape == "set":
            return code, 0
        if place.shape == "row":
            return code, cells[links.slot_of + piece]
        if zone not in heights:
            heights[zone] = {p: h for h, p in enumerate(viewer.lying(cells, zone), 1)}
        return code, heights[zone][piece]


_OBSERVERS: WeakKeyDictionary[Variant, Observer] = WeakKeyDictionary()


def observer_of(variant: Variant) -> Observer:
    """The observer of a variant."""
    found = _OBSERVERS.get(variant)
    if found is None:
        found = _OBSERVERS[variant] = Observer(variant.viewer, variant.engine)
    return found


def _growing(
    family: Kept | PlaceInfo | TokenPlace,
    cells: Cells,
    each: int,
    read: Callable[[Cells, int, int], Sequence[int]],
) -> Sequence[int]:
    """What lies on the spaces of a growing grid that are in use, in the order of these."""
    used = sorted(
        (cells[family.cell_of + slot], slot)
        for slot in family.owners
        if cells[family.cell_of + slot] >= 0
    )
    found = array("i")
    for space, slot in used:
        found.append(space)
        found.extend(read(cells, slot, space))
    found.extend((NONE,) * ((each + 1) * (len(family.owners) - len(used))))
    return found


def _flat(values: Sequence[Value]) -> Iterator[int]:
    for value in values:
        if isinstance(value, int):
            yield value
        else:
            yield from _flat(value)


def _groups(rows: Sequence[str], pieces: Sequence[int]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The pieces of each name, each after its position."""
    by_name: dict[str, list[tuple[int, int]]] = {}
    for position, (row, piece) in enumerate(zip(rows, pieces, strict=True)):
        by_name.setdefault(row, []).append((position, piece))
    return tuple(map(tuple, by_name.values()))
