"""Visibility: the places and values of a state that a player may see, and the pieces that a player knows.

Independent of texts and of rules: it reads the visibility from the program.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product

import attrs

from rulewright.dsl.ir import Kept, PieceKind, PlaceInfo, Program, Sight, TokenPlace
from rulewright.interpreter.text.names import Words
from rulewright.interpreter.views.view import ALL_SEEING, AT_ONCE, Piece


@attrs.frozen(eq=False, slots=False)
class Secrecy:
    """The visibility of one program."""

    words: Words

    @property
    def program(self) -> Program:
        """The program whose secrets these are."""
        return self.words.program

    def knows_piece(self, cells: Sequence[int], piece: int, viewer: int) -> bool:
        """Whether a viewer may know which piece is in this one's place."""
        zone = cells[self.program.links.zone_of + piece]
        if zone < 0:
            return True
        info, owner = self._place_of_zone[zone]
        if self.sees(info.seen, info.owner, owner, viewer):
            return True
        return not self.is_apart(cells, info) and self.was_shown(cells, piece, viewer)

    def block_of(self, cells: Sequence[int]) -> int:
        """The number of the simultaneous block that is running; 0 if there is none."""
        together = self.program.together
        return 0 if together < 0 else cells[together]

    def is_apart(self, cells: Sequence[int], group: PlaceInfo | TokenPlace) -> bool:
        """Whether players may now be changing their own member of this group; others see the changes when all are
        ready."""
        return self.is_apart_in(self.block_of(cells), group)

    def is_apart_in(self, block: int, group: PlaceInfo | TokenPlace) -> bool:
        """As `is_apart`, during a block."""
        if block <= 0 or group.owner != "player":
            return False
        return group.name in self.program.apart[block - 1]

    def is_counted(self, cells: Sequence[int], group: PlaceInfo | TokenPlace) -> bool:
        """Whether everybody now sees the sizes of the places of a group."""
        return self.is_counted_in(self.block_of(cells), group)

    def is_counted_in(self, block: int, group: PlaceInfo | TokenPlace) -> bool:
        """As `is_counted`, during a block."""
        if "size" not in group.except_for:
            return False
        return AT_ONCE in group.except_for or not self.is_apart_in(block, group)

    def as_counted(self, cells: array[int], me: int) -> array[int]:
        """The cells with the numbers that everybody sees: during a simultaneous block those of its start.

        For places of `me` these are the present numbers."""
        block = self.block_of(cells)
        if block <= 0:
            return cells
        found, counts = cells[:], self.program.links.count
        groups: list[PlaceInfo | TokenPlace] = [*self.program.places, *self.program.tokens]
        for info in groups:
            if info.as_begun < 0 or self.is_counted_in(block, info):
                continue
            first = info.base if isinstance(info, TokenPlace) else counts + info.first
            for at in range(len(info.owners) * info.stride):
                if info.owners[at // info.stride] != me:
                    found[first + at] = cells[info.as_begun + at]
        return found

    def may_see(self, group: Kept | PlaceInfo | TokenPlace, owner: int, viewer: int) -> bool:
        """Whether a viewer may see everything that an owner has in a group of places or values."""
        return self.sees(group.seen, group.owner, owner, viewer)

    def place_of(self, zone: int) -> PlaceInfo:
        """The group of a zone."""
        return self._place_of_zone[zone][0]

    def owner_of(self, zone: int) -> int:
        """The owner of a zone: a player or a thing."""
        return self._place_of_zone[zone][1]

    def zones_of(self, place: PlaceInfo) -> Iterator[tuple[int, int]]:
        """The zones of a group, each with its owner."""
        return ((zone, owner) for zone, owner, _ in members_of(place, place.first, place.stride))

    def zones_of_owner(self, place: PlaceInfo, owner: int) -> tuple[int, ...]:
        """The zones of a group that belong to an owner."""
        key = place.first, owner
        found = self._zones_of_owners.get(key)
        if found is None:
            found = tuple(zone for zone, whose in self.zones_of(place) if whose == owner)
            self._zones_of_owners[key] = found
        return found

    @cached_property
    def _zones_of_owners(self) -> dict[tuple[int, int], tuple[int, ...]]:
        return {}

    @property
    def has_secrets(self) -> bool:
        """Whether there are secrets from some player."""
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
        """Whether the game has no secrets, neither places nor simultaneous choices."""
        return not self.has_secrets and not any(site.own for site in self.program.sites)

    @cached_property
    def nobody_hides(self) -> bool:
        """Whether no player has secrets: a thing that one player may not see is seen by nobody, and everybody
        sees its size.

        This holds if only a deck is face down, and there are no simultaneous choices.
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
            for zone, owner, _ in members_of(info, info.first, info.stride)
        }

    @cached_property
    def _kind_of_piece(self) -> tuple[PieceKind, ...]:
        kinds: dict[int, PieceKind] = {}
        for kind in self.program.pieces:
            kinds.update(dict.fromkeys(range(kind.first, kind.first + kind.count), kind))
        return tuple(kinds[piece] for piece in range(self.program.links.pieces))

    @cached_property
    def row_cells(self) -> dict[int, tuple[int, int]]:
        """For each zone that is a row, its first cell and its number of slots."""
        return {zone: (first, slots) for zone, first, slots in self.program.links.row_cells}

    @cached_property
    def piece_kinds(self) -> frozenset[str]:
        """The names of the kinds of pieces."""
        return frozenset(piece.name for piece in self.program.pieces)

    @cached_property
    def sparse(self) -> frozenset[str]:
        """The kinds of things that are shown only if they have something on them."""
        grids = (space.name for space in self.program.spaces if space.places)
        return frozenset((*self.piece_kinds, *grids))

    @cached_property
    def owner_names(self) -> dict[str, tuple[int, tuple[str, ...]]]:
        """For each kind of owner the number of its first member, and the names of all."""
        return {
            **{piece.name: (piece.first, piece.rows) for piece in self.program.pieces},
            **{space.name: (space.first, space.rows) for space in self.program.spaces},
            "player": (0, self.words.players),
            "": (-1, ("",)),
        }

    @cached_property
    def _shown(self) -> dict[tuple[int, int], Piece]:
        return {}

    @cached_property
    def _unknown(self) -> dict[tuple[int, int, tuple[str, ...]], Piece]:
        return {}

    def shown_piece(self, piece: int, slot: int) -> Piece:
        """A visible piece, in a slot of a row (0 elsewhere)."""
        found = self._shown.get((piece, slot))
        if found is None:
            kind = self._kind_of_piece[piece]
            name = kind.rows[piece - kind.first]
            whose = self.words.player(kind.owners[piece - kind.first]) if kind.owners else ""
            text = self.words.thing("piece", piece) or name
            found = self._shown[piece, slot] = Piece(name, slot, (), whose, piece, text)
        return found

    def unknown_piece(self, piece: int, slot: int, columns: Sequence[str]) -> Piece:
        """A piece with only some visible columns."""
        key = piece, slot, tuple(columns)
        found = self._unknown.get(key)
        if found is None:
            kind = self._kind_of_piece[piece]
            shown = tuple(
                (name, self._cell(kind, piece, domain, table))
                for name, domain, table in kind.columns
                if name in columns
            )
            found = self._unknown[key] = Piece("", slot, shown)
        return found

    def _cell(self, kind: PieceKind, piece: int, domain: int, table: int) -> str:
        value = self.program.tables[table][piece - kind.first]
        if isinstance(value, int):
            return self.words.name(domain, value)
        return self.words.text(domain, value)  # type: ignore[arg-type]  # tables hold numbers and lists of them

    def kind_of(self, piece: int) -> PieceKind:
        """The kind of a piece."""
        return self._kind_of_piece[piece]

    def piece_name(self, piece: int) -> str:
        """The name of a piece; equal copies share one."""
        kind = self._kind_of_piece[piece]
        return kind.rows[piece - kind.first]

    def sees(self, seen: Sight, kind_of_owner: str, owner: int, viewer: int) -> bool:
        """Whether a viewer sees the things of an owner that have the visibility `seen`."""
        if seen == "all" or viewer == ALL_SEEING:
            return True
        if kind_of_owner != "player" or viewer < 0:
            return False
        return (seen == "owner" and owner == viewer) or (seen == "others" and owner != viewer)

    def was_shown(self, cells: Sequence[int], piece: int, viewer: int) -> bool:
        """Whether a viewer has seen a piece and nobody has taken it out of sight since."""
        known = self.program.links.known
        return known >= 0 and viewer >= 0 and bool(cells[known + piece] >> viewer & 1)

    def lying(self, cells: Sequence[int], zone: int) -> tuple[int, ...]:
        """The pieces of a zone, from bottom to top; those of a row by their slots."""
        row = self.row_cells.get(zone)
        if row is not None:
            first, slots = row
            return tuple(piece for piece in cells[first : first + slots] if piece >= 0)
        links = self.program.links
        after, piece = links.next, cells[links.head + zone]
        found: list[int] = []
        # If links are damaged, it returns enough to show that.
        while piece >= 0 and len(found) <= links.pieces:
            found.append(piece)
            if piece >= links.pieces:
                break
            piece = cells[after + piece]
        return tuple(found)


def members_of(
    info: PlaceInfo | TokenPlace,
    first: int,
    stride: int,
    width: int = 1,
    cells: Sequence[int] | None = None,
) -> Iterator[tuple[int, int, int]]:
    """(number of the member, its owner, which index) of a group, in order.

    With the cells of a state, only the slots of a growing grid that are used there.
    """
    indices = range(len(tuple(product(*map(range, info.sizes)))))
    owners = enumerate(info.owners) if cells is None else owners_of(cells, info)
    for position, owner in owners:
        for number in indices:
            yield first + position * stride + number * width, owner, number


def owners_of(
    cells: Sequence[int], group: Kept | PlaceInfo | TokenPlace
) -> Iterator[tuple[int, int]]:
    """The owners of a group, each with its position before it; spaces of a growing grid in their order."""
    if group.cell_of < 0:
        yield from enumerate(group.owners)
        return
    used = ((cells[group.cell_of + slot], slot) for slot in group.owners)
    yield from ((slot, space) for space, slot in sorted(used) if space >= 0)
