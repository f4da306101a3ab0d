"""What a player may know of a state, worked out from who sees which place and value.

Independent of rules and layout on a screen. A view depends on nothing the viewer may not know:
two states that differ only in that give equal views.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Literal, TypeAlias

import attrs

from rulewright.dsl.ir import Kept, PieceKind, PlaceInfo, Program, Sight, TokenPlace
from rulewright.interpreter.text.names import Words

EVERYBODY = -1
"""The viewer who knows what all players know, and no more."""
AT_ONCE = "together"
"""Behind `except`: how many lie there is seen also while all decide at the same time."""
ALL_SEEING = -2
"""The viewer who sees everything: for plays that are over, and between bots."""


@attrs.frozen
class Piece:
    """A piece as a viewer sees it: `name` is "" where only `columns`, seen by all, are known.

    `slot` counts from 1 in a row and is 0 elsewhere; `whose` is the player whose piece it is, "" where it is
    nobody's or not known.
    """

    name: str
    slot: int = 0
    columns: tuple[tuple[str, str], ...] = ()
    whose: str = ""
    id: int = attrs.field(default=-1, eq=False)
    text: str = attrs.field(default="", eq=False)


Index: TypeAlias = "tuple[tuple[str, ...], tuple[str, ...]]"
"""The names of the indices of a place, and their words."""


@attrs.frozen
class Place:
    """Whose something is: `owner` is "" for the table, "player", or a kind of thing.

    `of` is the name of the owner.
    """

    name: str
    owner: str
    of: str
    owner_id: int
    index: tuple[str, ...] = ()
    of_text: str = attrs.field(default="", eq=False)
    index_text: tuple[str, ...] = attrs.field(default=(), eq=False)

    @property
    def label(self) -> str:
        """The name with its index."""
        return f"{self.name}({', '.join(self.index)})" if self.index else self.name

    @property
    def title(self) -> str:
        """The label for people."""
        name = self.name.replace("_", " ")
        index = ", ".join(self.index_text or self.index)
        return f"{name} ({index})" if index else name


@attrs.frozen
class SeenZone:
    """A zone; `count` is None when hidden, `pieces` are those of which something is known.

    Piles and rows are listed in their order, bottom first. Where `count` is more than `pieces`, the
    rest is unknown.
    """

    place: Place
    shape: Literal["pile", "set", "row", "spot"]
    slots: int
    count: int | None
    pieces: tuple[Piece, ...]


@attrs.frozen
class SeenTokens:
    """Tokens in a place: pairs of (whose, how many), "" for tokens of nobody; None when hidden."""

    place: Place
    token: str
    counts: tuple[tuple[str, int], ...] | None


@attrs.frozen
class SeenValue:
    """A kept value: its name (a tuple of names for a list), or None when hidden."""

    place: Place
    value: str | tuple[str, ...] | None
    text: str = attrs.field(default="hidden", eq=False)


@attrs.frozen
class View:
    """A position as a viewer may know it.

    Empty places on pieces and on spaces of grids are left out, and so are values that are as at the start.
    """

    viewer: int
    in_play: tuple[bool, ...]
    """For each player whether this player is still in play."""
    values: tuple[SeenValue, ...]
    zones: tuple[SeenZone, ...]
    tokens: tuple[SeenTokens, ...]


@attrs.frozen(eq=False)
class Viewer:
    """Makes the views of one program."""

    words: Words

    @property
    def program(self) -> Program:
        """The program whose states are looked at."""
        return self.words.program

    def view(self, cells: Sequence[int], viewer: int) -> View:
        """What a player (or `EVERYBODY`) may know of a state."""
        program = self.program
        return View(
            viewer,
            tuple(bool(cells[program.in_play + seat]) for seat in range(program.seats)),
            tuple(self._values(cells, viewer)),
            tuple(self._zones(cells, viewer)),
            tuple(self._tokens(cells, viewer)),
        )

    def knows_piece(self, cells: Sequence[int], piece: int, viewer: int) -> bool:
        """Whether a viewer may know which piece lies where this one lies."""
        zone = cells[self.program.links.zone_of + piece]
        if zone < 0:
            return True
        info, owner = self._place_of_zone[zone]
        if self._sees(info.seen, info.owner, owner, viewer):
            return True
        return not self.is_apart(cells, info) and self.was_shown(cells, piece, viewer)

    def is_apart(self, cells: Sequence[int], family: PlaceInfo | TokenPlace) -> bool:
        """Whether players may be changing theirs of this family now, which the others see when all are ready."""
        together = self.program.together
        if together < 0 or family.owner != "player":
            return False
        block = cells[together]
        return block > 0 and family.name in self.program.apart[block - 1]

    def is_counted(self, cells: Sequence[int], family: PlaceInfo | TokenPlace) -> bool:
        """Whether everybody sees how many lie in the places of a family now."""
        if "size" not in family.except_for:
            return False
        return AT_ONCE in family.except_for or not self.is_apart(cells, family)

    def may_see(self, family: Kept | PlaceInfo | TokenPlace, owner: int, viewer: int) -> bool:
        """Whether a viewer may see all that an owner has in a family of places or values."""
        return self._sees(family.seen, family.owner, owner, viewer)

    def place_of(self, zone: int) -> PlaceInfo:
        """The family of a zone."""
        return self._place_of_zone[zone][0]

    def owner_of(self, zone: int) -> int:
        """To whom, or to what, a zone belongs."""
        return self._place_of_zone[zone][1]

    def zones_of(self, place: PlaceInfo) -> Iterator[tuple[int, int]]:
        """The zones of a family, each with its owner."""
        return ((zone, owner) for zone, owner, _ in _members(place, place.first, place.stride))

    @property
    def has_secrets(self) -> bool:
        """Whether there is anything that some player may not see."""
        program = self.program
        return any(
            seen != "all"
            for seen in (
                *(kept.seen for kept in program.kept),
                *(place.seen for place in program.places),
                *(tokens.seen for tokens in program.tokens),
            )
        )

    @cached_property
    def is_open(self) -> bool:
        """Whether the game hides nothing from anybody, neither places nor what is chosen together."""
        return not self.has_secrets and not any(site.own for site in self.program.sites)

    @cached_property
    def nobody_hides(self) -> bool:
        """Whether no player has anything to hide: what some may not see, nobody sees, and how much of it all do.

        So it is where a deck is all that lies face down, and nothing is chosen together.
        """
        program = self.program
        values = (
            *(kept.seen for kept in program.kept),
            *(tokens.seen for tokens in program.tokens),
        )
        return (
            all(seen == "all" for seen in values)
            and all(
                place.seen == "all" or (place.seen == "nobody" and "size" in place.except_for)
                for place in program.places
            )
            and not any(site.own for site in program.sites)
        )

    @cached_property
    def _place_of_zone(self) -> dict[int, tuple[PlaceInfo, int]]:
        return {
            zone: (info, owner)
            for info in self.program.places
            for zone, owner, _ in _members(info, info.first, info.stride)
        }

    @cached_property
    def _kind_of_piece(self) -> tuple[PieceKind, ...]:
        kinds: dict[int, PieceKind] = {}
        for kind in self.program.pieces:
            kinds.update(dict.fromkeys(range(kind.first, kind.first + kind.count), kind))
        return tuple(kinds[piece] for piece in range(self.program.links.pieces))

    @cached_property
    def _row_cells(self) -> dict[int, tuple[int, int]]:
        return {zone: (first, slots) for zone, first, slots in self.program.links.row_cells}

    @cached_property
    def _piece_kinds(self) -> frozenset[str]:
        return frozenset(piece.name for piece in self.program.pieces)

    @cached_property
    def _sparse(self) -> frozenset[str]:
        """The kinds of things of which only those are shown that have something on them."""
        grids = (space.name for space in self.program.spaces if space.places)
        return frozenset((*self._piece_kinds, *grids))

    @cached_property
    def _owner_names(self) -> dict[str, tuple[int, tuple[str, ...]]]:
        return {
            **{piece.name: (piece.first, piece.rows) for piece in self.program.pieces},
            **{space.name: (space.first, space.rows) for space in self.program.spaces},
            "player": (0, self.words.players),
            "": (-1, ("",)),
        }

    def kind_of(self, piece: int) -> PieceKind:
        """The kind of a piece."""
        return self._kind_of_piece[piece]

    def piece_name(self, piece: int) -> str:
        """The name of a piece; equal copies share one."""
        kind = self._kind_of_piece[piece]
        return kind.rows[piece - kind.first]

    def _sees(self, seen: Sight, kind_of_owner: str, owner: int, viewer: int) -> bool:
        if seen == "all" or viewer == ALL_SEEING:
            return True
        if kind_of_owner != "player" or viewer < 0:
            return False
        return (seen == "owner" and owner == viewer) or (seen == "others" and owner != viewer)

    def was_shown(self, cells: Sequence[int], piece: int, viewer: int) -> bool:
        """Whether a viewer has seen a piece and nobody has taken it out of sight since."""
        known = self.program.links.known
        return known >= 0 and viewer >= 0 and bool(cells[known + piece] >> viewer & 1)

    def _hidden_owner(self, cells: Sequence[int], kind: str, owner: int, viewer: int) -> bool:
        """Whether naming the owner would tell which piece lies hidden somewhere."""
        return kind in self._piece_kinds and not self.knows_piece(cells, owner, viewer)

    def _place(self, family: Kept | PlaceInfo | TokenPlace, owner: int, index: Index) -> Place:
        first, names = self._owner_names[family.owner]
        name = names[owner - first]
        sort = "piece" if family.owner in self._piece_kinds else "space"
        text = self.words.thing(sort, owner) if family.owner not in ("", "player") else None
        named, shown = index
        return Place(family.name, family.owner, name, owner, named, text or name, shown)

    def _values(self, cells: Sequence[int], viewer: int) -> Iterator[SeenValue]:
        for kept in self.program.kept:
            if not kept.listed:
                continue
            sparse = kept.owner in self._sparse
            width = kept.list_capacity + 1 if kept.list_capacity else 1
            indices = tuple(self.words.place(kept.index_domains, kept.index_lows, kept.sizes))
            for position, owner in _owners(cells, kept):
                if sparse and self._hidden_owner(cells, kept.owner, owner, viewer):
                    continue
                seen = self._sees(kept.seen, kept.owner, owner, viewer)
                for number, index in enumerate(indices):
                    cell = kept.base + position * kept.stride + number * width
                    place = self._place(kept, owner, index)
                    if not seen:
                        if not sparse:
                            yield SeenValue(place, None)
                    elif kept.list_capacity:
                        items = cells[cell + 1 : cell + 1 + cells[cell]]
                        if not sparse or items:
                            names = (self.words.name(kept.domain, item) for item in items)
                            text = self.words.text(kept.domain, tuple(items))
                            yield SeenValue(place, tuple(names), text)
                    elif not sparse or cells[cell] != kept.start:
                        value = cells[cell]
                        text = self.words.text(kept.domain, value)
                        yield SeenValue(place, self.words.name(kept.domain, value), text)

    def _zones(self, cells: Sequence[int], viewer: int) -> Iterator[SeenZone]:
        for info in self.program.places:
            if not info.listed:
                continue
            sparse = info.owner in self._sparse
            names = tuple(self.words.place(info.index_domains, info.index_lows, info.sizes))
            for zone, owner, number in _members(info, info.first, info.stride, cells=cells):
                if sparse and self._hidden_owner(cells, info.owner, owner, viewer):
                    continue
                seen = self._sees(info.seen, info.owner, owner, viewer)
                apart = not seen and self.is_apart(cells, info)
                pieces = () if apart else tuple(self._pieces(cells, zone, info, seen, viewer))
                count = None
                if seen or self.is_counted(cells, info):
                    count = cells[self.program.links.count + zone]
                elif apart and info.as_begun >= 0:
                    count = cells[info.as_begun + zone - info.first]
                if sparse and not pieces and not count:
                    continue
                place = self._place(info, owner, names[number])
                yield SeenZone(place, info.shape, info.slots, count, pieces)

    def _pieces(
        self, cells: Sequence[int], zone: int, info: PlaceInfo, seen: bool, viewer: int
    ) -> Iterator[Piece]:
        lying = tuple(self.lying(cells, zone))
        if seen:
            slots = self._slots(cells, lying, info)
            yield from map(self._shown_piece, lying, slots)
            return
        columns = tuple(name for name in info.except_for if name not in ("size", "slots", AT_ONCE))
        shown = [self.was_shown(cells, piece, viewer) for piece in lying]
        # The order of a set is that of the ids: among unknown pieces it would tell too much.
        in_order = info.shape != "set" and "size" in info.except_for
        placed = in_order and "slots" in info.except_for
        slots = self._slots(cells, lying, info) if placed else [0] * len(lying)
        known = [
            self._shown_piece(piece, slot) if is_shown else self._unknown(piece, slot, columns)
            for piece, slot, is_shown in zip(lying, slots, shown, strict=True)
        ]
        if in_order and any(piece.name or piece.columns or piece.slot for piece in known):
            yield from known
            return
        yield from (piece for piece in known if piece.name)
        yield from sorted(
            (piece for piece in known if not piece.name and piece.columns),
            key=lambda piece: piece.columns,
        )

    def _slots(self, cells: Sequence[int], lying: Sequence[int], info: PlaceInfo) -> list[int]:
        if info.shape != "row":
            return [0] * len(lying)
        return [cells[self.program.links.slot_of + piece] for piece in lying]

    def _shown_piece(self, piece: int, slot: int) -> Piece:
        kind = self._kind_of_piece[piece]
        name = kind.rows[piece - kind.first]
        whose = self.words.player(kind.owners[piece - kind.first]) if kind.owners else ""
        return Piece(name, slot, (), whose, piece, self.words.thing("piece", piece) or name)

    def _unknown(self, piece: int, slot: int, columns: Sequence[str]) -> Piece:
        kind = self._kind_of_piece[piece]
        told = tuple(
            (name, self._cell(kind, piece, domain, table))
            for name, domain, table in kind.columns
            if name in columns
        )
        return Piece("", slot, told)

    def _cell(self, kind: PieceKind, piece: int, domain: int, table: int) -> str:
        value = self.program.tables[table][piece - kind.first]
        if isinstance(value, int):
            return self.words.name(domain, value)
        return self.words.text(domain, value)  # type: ignore[arg-type]  # tables hold numbers and lists of them

    def lying(self, cells: Sequence[int], zone: int) -> Iterator[int]:
        """The pieces of a zone, from bottom to top; those of a row by their slots."""
        row = self._row_cells.get(zone)
        if row is not None:
            first, slots = row
            yield from (piece for piece in cells[first : first + slots] if piece >= 0)
            return
        links = self.program.links
        piece = cells[links.head + zone]
        while piece >= 0:
            yield piece
            piece = cells[links.next + piece]

    def where_lies(self, cells: Sequence[int], piece: int) -> str:
        """The words of the place where a piece lies."""
        zone = cells[self.program.links.zone_of + piece]
        for info in self.program.places if zone >= 0 else ():
            names = tuple(self.words.place(info.index_domains, info.index_lows, info.sizes))
            for each, owner, number in _members(info, info.first, info.stride, cells=cells):
                if each == zone:
                    return whose(self._place(info, owner, names[number]))
        return "no place"

    def _tokens(self, cells: Sequence[int], viewer: int) -> Iterator[SeenTokens]:
        for info in self.program.tokens:
            if not info.listed:
                continue
            sparse = info.owner in self._sparse
            names = tuple(self.words.place(info.index_domains, info.index_lows, info.sizes))
            for cell, owner, number in _members(info, info.base, info.stride, info.colours, cells):
                if sparse and self._hidden_owner(cells, info.owner, owner, viewer):
                    continue
                counts = tuple(self._counts(cells, info, cell, owner))
                if sparse and not any(count for _, count in counts):
                    continue
                place = self._place(info, owner, names[number])
                if self._sees(info.seen, info.owner, owner, viewer):
                    yield SeenTokens(place, info.token, counts)
                elif "size" in info.except_for:
                    first = cell
                    if not self.is_counted(cells, info):
                        first = info.as_begun + cell - info.base
                    total = sum(cells[first : first + info.colours])
                    yield SeenTokens(place, info.token, (("", total),))
                elif not sparse:
                    yield SeenTokens(place, info.token, None)

    def _counts(
        self, cells: Sequence[int], info: TokenPlace, cell: int, owner: int
    ) -> Iterator[tuple[str, int]]:
        if info.colours == 1:
            whose = self.words.player(owner) if info.own_colour else ""
            yield whose, cells[cell]
            return
        for colour in range(info.colours):
            if cells[cell + colour]:
                yield self.words.player(colour), cells[cell + colour]


def _members(
    info: PlaceInfo | TokenPlace,
    first: int,
    stride: int,
    width: int = 1,
    cells: Sequence[int] | None = None,
) -> Iterator[tuple[int, int, int]]:
    """(number of the member, its owner, which index) of a family, in order.

    With the cells of a state, only the slots of a growing grid that are used there.
    """
    indices = range(len(tuple(product(*map(range, info.sizes)))))
    owners = enumerate(info.owners) if cells is None else _owners(cells, info)
    for position, owner in owners:
        for number in indices:
            yield first + position * stride + number * width, owner, number


def _owners(
    cells: Sequence[int], family: Kept | PlaceInfo | TokenPlace
) -> Iterator[tuple[int, int]]:
    """The owners of a family, each after its position; spaces of a growing grid in their order."""
    if family.cell_of < 0:
        yield from enumerate(family.owners)
        return
    used = ((cells[family.cell_of + slot], slot) for slot in family.owners)
    yield from ((slot, space) for space, slot in sorted(used) if space >= 0)


def as_text(view: View) -> str:
    """All that a view tells, in one line; equal views give equal texts."""
    zones = (
        f"{whose(zone.place)}={zone.count}[{' '.join(map(_told, zone.pieces))}]"
        for zone in view.zones
    )
    tokens = (f"{whose(tokens.place)}={tokens.counts}" for tokens in view.tokens)
    values = (f"{whose(value.place)}={value.value}" for value in view.values)
    return "; ".join((str(view.in_play), *zones, *tokens, *values))


def in_parts(view: View) -> dict[str, str]:
    """What a view tells of each place, of sets in an order that does not hang on copies."""
    found: dict[str, str] = {}
    for zone in view.zones:
        pieces = [_told(piece) for piece in zone.pieces]
        pieces = sorted(pieces) if zone.shape == "set" else pieces
        told = f"{', '.join(pieces)}" if pieces else "nothing"
        found[whose(zone.place)] = told if zone.count is not None else "hidden"
    for tokens in view.tokens:
        counts = (f"{count} {name}".rstrip() for name, count in tokens.counts or ())
        found[whose(tokens.place)] = ", ".join(counts) or "nothing"
    for value in view.values:
        found[whose(value.place)] = value.text
    return found


def whose(place: Place) -> str:
    """A place with whom it belongs to."""
    return f"{place.of}.{place.label}" if place.of else place.label


def _told(piece: Piece) -> str:
    told = "/".join(f"{name}:{value}" for name, value in piece.columns)
    whose = f" of {piece.whose}" if piece.whose else ""
    return f"{piece.name or '?'}{whose}{told}" + (f"@{piece.slot}" if piece.slot else "")
