"""Computes the parts of a view: one part for each group of values, zones and tokens of a program.

The texts of places are computed once per program. Parts of views are cached, keyed by the cells
that they depend on. `viewer.py` combines these parts into whole views.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Generic, TypeVar

import attrs

from rulewright.dsl.ir import Kept, PlaceInfo, TokenPlace
from rulewright.interpreter.views.secrecy import Secrecy, owners_of
from rulewright.interpreter.views.view import (
    AT_ONCE,
    Index,
    Piece,
    Place,
    SeenTokens,
    SeenValue,
    SeenZone,
)

CellGroup = Kept | PlaceInfo | TokenPlace
Cells = Sequence[int]
T = TypeVar("T")
S = TypeVar("S", SeenValue, SeenTokens)
Content = int | tuple[int, ...] | None
"""The contents of a place, or None if they are hidden."""
_KEPT = 512
"""The maximum number of entries in each cache."""


class Memory(dict[object, T]):
    """A cache of answers keyed by their inputs. When it is full, it is emptied."""

    def keep(self, key: object, answer: T) -> T:
        """Store an answer, and return it."""
        if len(self) >= _KEPT:
            self.clear()
        self[key] = answer
        return answer


def _bytes(cells: Cells) -> bytes:
    return (cells if isinstance(cells, array) else array("i", cells)).tobytes()


class Places:
    """The places of a group, each created once and keyed by its owner and the number of its index."""

    def __init__(self, secrecy: Secrecy, group: CellGroup) -> None:
        self._group = group
        words = secrecy.words
        self.indices: tuple[Index, ...] = tuple(
            words.place(group.index_domains, group.index_lows, group.sizes)
        )
        self._words = words
        self._is_piece = group.owner in secrecy.piece_kinds
        self._first, self._names = secrecy.owner_names[group.owner]
        self._known: dict[tuple[int, int], Place] = {}

    def of(self, owner: int, number: int) -> Place:
        """Return the place of an owner at an index."""
        found = self._known.get((owner, number))
        if found is None:
            group = self._group
            name = self._names[owner - self._first]
            text = None
            if group.owner not in ("", "player"):
                text = self._words.thing("piece" if self._is_piece else "space", owner)
            named, shown = self.indices[number]
            found = Place(group.name, group.owner, name, owner, named, text or name, shown)
            self._known[owner, number] = found
        return found


class Owners:
    """The owners of a group that have something in a state, each preceded by its position."""

    def __init__(self, group: CellGroup) -> None:
        self._group = group
        self._fixed = tuple(enumerate(group.owners)) if group.cell_of < 0 else None
        self._first = group.cell_of + min(group.owners, default=0)
        self._end = group.cell_of + max(group.owners, default=-1) + 1
        self._memory: Memory[tuple[tuple[int, int], ...]] = Memory()

    def key(self, cells: Cells) -> object:
        """Return a key that is equal for states with the same owners."""
        if self._fixed is not None:
            return None
        return _bytes(cells[self._first : self._end])

    def of(self, cells: Cells) -> tuple[tuple[int, int], ...]:
        """Return the owners in a state. The spaces of a growing grid are in the order of their numbers."""
        if self._fixed is not None:
            return self._fixed
        key = self.key(cells)
        found = self._memory.get(key)
        return (
            self._memory.keep(key, tuple(owners_of(cells, self._group))) if found is None else found
        )


@attrs.frozen
class _Whole(Generic[S]):
    """The contents of a group, once as a single list and once by owner."""

    everything: tuple[S, ...]
    by_owner: tuple[tuple[int, tuple[S, ...]], ...]


class _Sliced(Generic[S]):
    """A group whose contents are stored in consecutive cells."""

    def __init__(self, secrecy: Secrecy, group: Kept | TokenPlace, stride: int) -> None:
        self.secrecy = secrecy
        self.group = group
        self.places = Places(secrecy, group)
        self.owners = Owners(group)
        self.stride = stride
        self.is_sparse = group.owner in secrecy.sparse
        self.may_hide_owner = group.owner in secrecy.piece_kinds
        self.is_public = group.seen == "all" and not self.may_hide_owner
        self._memory: Memory[_Whole[S]] = Memory()
        self._items: Memory[S] = Memory()

    def public(self, cells: Cells) -> tuple[S, ...]:
        """Return the contents of a group that all players see."""
        return self._whole(cells).everything

    def own(self, cells: Cells, viewer: int) -> Iterator[S]:
        """Yield the contents of a group as a viewer sees them."""
        secrecy, group = self.secrecy, self.group
        for owner, items in self._whole(cells).by_owner:
            if self.may_hide_owner and not secrecy.knows_piece(cells, owner, viewer):
                continue
            if secrecy.sees(group.seen, group.owner, owner, viewer):
                yield from items
            else:
                yield from self._hidden_items(cells, owner)

    def _whole(self, cells: Cells) -> _Whole[S]:
        group = self.group
        # Handwritten programs may have no stride if there is only one owner.
        end = group.base + len(group.owners) * max(self.stride, 1)
        key = self.owners.key(cells), _bytes(cells[group.base : end])
        found = self._memory.get(key)
        if found is None:
            by_owner = [
                (owner, tuple(self._seen_items(cells, group.base + position * self.stride, owner)))
                for position, owner in self.owners.of(cells)
            ]
            everything = tuple(chain.from_iterable(items for _, items in by_owner))
            kept = tuple(each for each in by_owner if each[1] or not self.is_sparse)
            found = self._memory.keep(key, _Whole(everything, kept))
        return found

    def _item(self, owner: int, number: int, value: Content) -> S:
        key = owner, number, value
        found = self._items.get(key)
        return self._items.keep(key, self._make_item(*key)) if found is None else found

    def _make_item(self, owner: int, number: int, value: Content) -> S:
        raise NotImplementedError

    def _seen_items(self, cells: Cells, first: int, owner: int) -> Iterator[S]:
        raise NotImplementedError

    def _hidden_items(self, cells: Cells, owner: int) -> Iterator[S]:
        raise NotImplementedError


class Values(_Sliced[SeenValue]):
    """A group of stored values."""

    group: Kept

    def __init__(self, secrecy: Secrecy, group: Kept) -> None:
        super().__init__(secrecy, group, group.stride)
        self._width = group.list_capacity + 1 if group.list_capacity else 1

    def _seen_items(self, cells: Cells, first: int, owner: int) -> Iterator[SeenValue]:
        kept = self.group
        for number in range(len(self.places.indices)):
            cell = first + number * self._width
            value: Content = cells[cell]
            if kept.list_capacity:
                value = tuple(cells[cell + 1 : cell + 1 + cells[cell]])
            if not self.is_sparse or value != (() if kept.list_capacity else kept.start):
                yield self._item(owner, number, value)

    def _make_item(self, owner: int, number: int, value: Content) -> SeenValue:
        words, domain = self.secrecy.words, self.group.domain
        place = self.places.of(owner, number)
        if value is None:
            return SeenValue(place, None)
        text = words.text(domain, value)
        if isinstance(value, int):
            return SeenValue(place, words.name(domain, value), text)
        return SeenValue(place, tuple(words.name(domain, item) for item in value), text)

    def _hidden_items(self, cells: Cells, owner: int) -> Iterator[SeenValue]:
        for number in range(0 if self.is_sparse else len(self.places.indices)):
            yield self._item(owner, number, None)


class Tokens(_Sliced[SeenTokens]):
    """A group of places for tokens."""

    group: TokenPlace

    def __init__(self, secrecy: Secrecy, group: TokenPlace) -> None:
        super().__init__(secrecy, group, group.stride)

    def _seen_items(self, cells: Cells, first: int, owner: int) -> Iterator[SeenTokens]:
        colours = self.group.colours
        for number in range(len(self.places.indices)):
            cell = first + number * colours
            counts = tuple(cells[cell : cell + colours])
            if not self.is_sparse or any(counts):
                yield self._item(owner, number, counts)

    def _make_item(self, owner: int, number: int, value: Content) -> SeenTokens:
        player, info = self.secrecy.words.player, self.group
        assert isinstance(value, tuple)
        counts = value
        counted: Iterable[tuple[str, int]]
        if info.colours == 1:
            counted = ((player(owner) if info.own_colour else "", counts[0]),)
        else:
            counted = ((player(colour), count) for colour, count in enumerate(counts) if count)
        return SeenTokens(self.places.of(owner, number), info.token, tuple(counted))

    def _hidden_items(self, cells: Cells, owner: int) -> Iterator[SeenTokens]:
        info = self.group
        position = info.owners.index(owner) if info.cell_of < 0 else self._slot(cells, owner)
        for number in range(len(self.places.indices)):
            cell = info.base + position * info.stride + number * info.colours
            if self.is_sparse and not any(cells[cell : cell + info.colours]):
                continue
            place = self.places.of(owner, number)
            if "size" in info.except_for:
                is_counted = self.secrecy.is_counted(cells, info)
                first = cell if is_counted else info.as_begun + cell - info.base
                yield SeenTokens(
                    place, info.token, (("", sum(cells[first : first + info.colours])),)
                )
            elif not self.is_sparse:
                yield SeenTokens(place, info.token, None)

    def _slot(self, cells: Cells, owner: int) -> int:
        return next(slot for slot, space in self.owners.of(cells) if space == owner)


class Zones:
    """A group of zones."""

    def __init__(self, secrecy: Secrecy, group: PlaceInfo) -> None:
        self._secrecy = secrecy
        self._group = group
        self._places = Places(secrecy, group)
        self._owners = Owners(group)
        self._is_sparse = group.owner in secrecy.sparse
        self._may_hide_owner = group.owner in secrecy.piece_kinds
        self._columns = tuple(
            name for name in group.except_for if name not in ("size", "slots", AT_ONCE)
        )
        # The pieces of a set are in the order of their ids, which would reveal too much about
        # unknown pieces.
        self._in_order = group.shape != "set" and "size" in group.except_for
        self._placed = self._in_order and "slots" in group.except_for
        self.is_public = group.seen == "all" and not self._may_hide_owner
        self._memory: Memory[SeenZone] = Memory()
        self._parts: Memory[tuple[Piece, ...]] = Memory()

    def public(self, cells: Cells) -> tuple[SeenZone, ...]:
        """Return the contents of a group that all players see."""
        counts = self._secrecy.program.links.count
        lying, sparse = self._secrecy.lying, self._is_sparse
        found = []
        for zone, owner, number in self._members(cells):
            count = cells[counts + zone]
            if count or not sparse:
                found.append(self._seen_zone(cells, owner, number, count, lying(cells, zone)))
        return tuple(found)

    def own(
        self, cells: Cells, viewer: int, known: dict[int, tuple[int, ...]]
    ) -> Iterator[SeenZone]:
        """Yield the contents of a group as a viewer sees them.

        `known` caches the pieces of zones for the next viewer.
        """
        secrecy, info = self._secrecy, self._group
        counts = secrecy.program.links.count
        for zone, owner, number in self._members(cells):
            if self._may_hide_owner and not (
                cells[counts + zone] and secrecy.knows_piece(cells, owner, viewer)
            ):
                continue
            seen = secrecy.sees(info.seen, info.owner, owner, viewer)
            apart = not seen and secrecy.is_apart(cells, info)
            count = None
            if seen or secrecy.is_counted(cells, info):
                count = cells[counts + zone]
            elif apart and info.as_begun >= 0:
                count = cells[info.as_begun + zone - info.first]
            lying = () if apart else known.get(zone)
            if lying is None:
                lying = known[zone] = secrecy.lying(cells, zone)
            if seen:
                if lying or count or not self._is_sparse:
                    yield self._seen_zone(cells, owner, number, count, lying)
                continue
            pieces = self._known_pieces(cells, lying, viewer)
            if pieces or count or not self._is_sparse:
                # Copies of a row differ only in their ids, so the key contains the ids.
                key = owner, number, count, pieces, tuple(piece.id for piece in pieces)
                found = self._memory.get(key)
                yield found or self._memory.keep(key, self._make_zone(owner, number, count, pieces))

    def _members(self, cells: Cells) -> Iterator[tuple[int, int, int]]:
        info = self._group
        indices = range(len(self._places.indices))
        for position, owner in self._owners.of(cells):
            first = info.first + position * info.stride
            for number in indices:
                yield first + number, owner, number

    def _seen_zone(
        self, cells: Cells, owner: int, number: int, count: int | None, lying: tuple[int, ...]
    ) -> SeenZone:
        slots = self._slots(cells, lying)
        key = owner, number, count, lying, slots
        found = self._memory.get(key)
        if found is None:
            piece = self._secrecy.shown_piece
            pieces = tuple(map(piece, lying, slots or (0,) * len(lying)))
            found = self._memory.keep(key, self._make_zone(owner, number, count, pieces))
        return found

    def _make_zone(
        self, owner: int, number: int, count: int | None, pieces: tuple[Piece, ...]
    ) -> SeenZone:
        info = self._group
        return SeenZone(self._places.of(owner, number), info.shape, info.slots, count, pieces)

    def _slots(self, cells: Cells, lying: Sequence[int]) -> tuple[int, ...]:
        """Return the slots of pieces in a row. For other zones, return an empty tuple."""
        if self._group.shape != "row":
            return ()
        slot_of = self._secrecy.program.links.slot_of
        return tuple(cells[slot_of + piece] for piece in lying)

    def _known_pieces(self, cells: Cells, lying: tuple[int, ...], viewer: int) -> tuple[Piece, ...]:
        """Return the known facts about the pieces of a zone that a viewer does not see."""
        secrecy = self._secrecy
        is_any_shown = secrecy.program.links.known >= 0 and viewer >= 0
        if not lying or not (self._columns or self._placed or is_any_shown):
            return ()
        shown = (False,) * len(lying)
        if is_any_shown:
            first = secrecy.program.links.known
            shown = tuple(bool(cells[first + piece] >> viewer & 1) for piece in lying)
        slots = (self._placed and self._slots(cells, lying)) or (0,) * len(lying)
        key = lying, shown, slots
        found = self._parts.get(key)
        return self._parts.keep(key, self._known_facts(*key)) if found is None else found

    def _known_facts(
        self, lying: tuple[int, ...], shown: tuple[bool, ...], slots: tuple[int, ...]
    ) -> tuple[Piece, ...]:
        secrecy = self._secrecy
        known = [
            secrecy.shown_piece(piece, slot)
            if is_shown
            else secrecy.unknown_piece(piece, slot, self._columns)
            for piece, slot, is_shown in zip(lying, slots, shown, strict=True)
        ]
        if self._in_order and any(piece.name or piece.columns or piece.slot for piece in known):
            return tuple(known)
        named = (piece for piece in known if piece.name)
        partly = (piece for piece in known if not piece.name and piece.columns)
        return (*named, *sorted(partly, key=lambda piece: piece.columns))
