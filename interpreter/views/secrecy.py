"""Determines visibility: which places and values of a state a player may see, and which pieces a player knows.

This module reads the visibility from the program, and does not depend on texts or rules.
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
    """Answers which places, values and pieces of one program a player may see."""

    words: Words

    @property
    def program(self) -> Program:
        """Return the program to which the places and values belong."""
        return self.words.program

    def knows_piece(self, cells: Sequence[int], piece: int, viewer: int) -> bool:
        """Return whether a viewer may know that exactly this piece is in its place."""
        zone = cells[self.program.links.zone_of + piece]
        if zone < 0:
            return True
        info, owner = self._place_of_zone[zone]
        if self.sees(info.seen, info.owner, owner, viewer):
            return True
        return not self.is_apart(cells, info) and self.was_shown(cells, piece, viewer)

    def block_of(self, cells: Sequence[int]) -> int:
        """Return the number of the simultaneous block that is running, or 0 if none is running."""
        together = self.program.together
        return 0 if together < 0 else cells[together]

    def is_apart(self, cells: Sequence[int], group: PlaceInfo | TokenPlace) -> bool:
        """Return whether players may now be changing their own places of a group.

        Other players see these changes only when all are ready.
        """
        return self.is_apart_in(self.block_of(cells), group)

    def is_apart_in(self, block: int, group: PlaceInfo | TokenPlace) -> bool:
        """Return the same as `is_apart`, given the number of the running block."""
        if block <= 0 or group.owner != "player":
            return False
        return group.name in self.program.apart[block - 1]

    def is_counted(self, cells: Sequence[int], group: PlaceInfo | TokenPlace) -> bool:
        """Return whether all players now see the sizes of the places of a group."""
        return self.is_counted_in(self.block_of(cells), group)

    def is_counted_in(self, block: int, group: PlaceInfo | TokenPlace) -> bool:
        """Return the same as `is_counted`, given the number of the running block."""
        if "size" not in group.except_for:
            return False
        return AT_ONCE in group.except_for or not self.is_apart_in(block, group)

    def with_shown_sizes(self, cells: array[int], me: int) -> array[int]:
        """Replace sizes that players are now changing by the sizes at the start of the simultaneous block.

        The places of `me` keep their current sizes.
        """
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
        """Return whether a viewer may see everything that an owner has in a group of places or values."""
        return self.sees(group.seen, group.owner, owner, viewer)

    def place_of(self, zone: int) -> PlaceInfo:
        """Return the group of a zone."""
        return self._place_of_zone[zone][0]

    def owner_of(self, zone: int) -> int:
        """Return the owner of a zone: the number of a player or a thing."""
        return self._place_of_zone[zone][1]

    def zones_of(self, place: PlaceInfo) -> Iterator[tuple[int, int]]:
        """Yield each zone of a group with its owner."""
        return ((zone, owner) for zone, owner, _ in members_of(place, place.first, place.stride))

    def zones_of_owner(self, place: PlaceInfo, owner: int) -> tuple[int, ...]:
        """Return the zones of a group that belong to an owner."""
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
        """Return whether any place or value is hidden from some player."""
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
        """Return whether the game has neither secrets nor simultaneous choices."""
        return not self.has_secrets and not any(site.own for site in self.program.sites)

    @cached_property
    def nobody_hides(self) -> bool:
        """Return whether no player has secrets: all or none see each thing, and all see its size.

        This is true if, for example, only a deck is face down, and there are no simultaneous
        choices.
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
        """Map each zone that is a row to its first cell and its number of slots."""
        return {zone: (first, slots) for zone, first, slots in self.program.links.row_cells}

    @cached_property
    def piece_kinds(self) -> frozenset[str]:
        """Return the names of the kinds of pieces."""
        return frozenset(piece.name for piece in self.program.pieces)

    @cached_property
    def sparse(self) -> frozenset[str]:
        """Return the kinds of things that are shown only if something is on them."""
        grids = (space.name for space in self.program.spaces if space.places)
        return frozenset((*self.piece_kinds, *grids))

    @cached_property
    def owner_names(self) -> dict[str, tuple[int, tuple[str, ...]]]:
        """Map each kind of owner to the number of its first member, and to the names of all members."""
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
        """Return a visible piece and its slot in a row (slot 0 if the piece is not in a row)."""
        found = self._shown.get((piece, slot))
        if found is None:
            kind = self._kind_of_piece[piece]
            name = kind.rows[piece - kind.first]
            whose = self.words.player(kind.owners[piece - kind.first]) if kind.owners else ""
            text = self.words.thing("piece", piece) or name
            found = self._shown[piece, slot] = Piece(name, slot, (), whose, piece, text)
        return found

    def unknown_piece(self, piece: int, slot: int, columns: Sequence[str]) -> Piece:
        """Return a piece of which only some columns are visible."""
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
        return self.words.text(domain, value)  # type: ignore[arg-type]  # tables contain numbers and lists of numbers

    def kind_of(self, piece: int) -> PieceKind:
        """Return the kind of a piece."""
        return self._kind_of_piece[piece]

    def piece_name(self, piece: int) -> str:
        """Return the name of a piece. Equal copies have the same name."""
        kind = self._kind_of_piece[piece]
        return kind.rows[piece - kind.first]

    def sees(self, seen: Sight, kind_of_owner: str, owner: int, viewer: int) -> bool:
        """Return whether a viewer sees an owner's things that have the visibility `seen`."""
        if seen == "all" or viewer == ALL_SEEING:
            return True
        if kind_of_owner != "player" or viewer < 0:
            return False
        return (seen == "owner" and owner == viewer) or (seen == "others" and owner != viewer)

    def was_shown(self, cells: Sequence[int], piece: int, viewer: int) -> bool:
        """Return whether a viewer has seen a piece that nobody has moved out of sight since."""
        known = self.program.links.known
        return known >= 0 and viewer >= 0 and bool(cells[known + piece] >> viewer & 1)

    def lying(self, cells: Sequence[int], zone: int) -> tuple[int, ...]:
        """Return the pieces of a zone from bottom to top, or the pieces of a row in the order of their slots."""
        row = self.row_cells.get(zone)
        if row is not None:
            first, slots = row
            return tuple(piece for piece in cells[first : first + slots] if piece >= 0)
        links = self.program.links
        after, piece = links.next, cells[links.head + zone]
        found: list[int] = []
        # If the links are damaged, return enough pieces to show the damage.
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
    """Yield a triple (member number, owner, index) for each member of a group, in order.

    If the cells of a state are given, slots of a growing grid that this state does not use are left
    out.
    """
    indices = range(len(tuple(product(*map(range, info.sizes)))))
    owners = enumerate(info.owners) if cells is None else owners_of(cells, info)
    for position, owner in owners:
        for number in indices:
            yield first + position * stride + number * width, owner, number


def owners_of(
    cells: Sequence[int], group: Kept | PlaceInfo | TokenPlace
) -> Iterator[tuple[int, int]]:
    """Yield the owners of a group, each preceded by its position. Spaces of a growing grid are in
    the order of their numbers."""
    if group.cell_of < 0:
        yield from enumerate(group.owners)
        return
    used = ((cells[group.cell_of + slot], slot) for slot in group.owners)
    yield from ((slot, space) for space, slot in sorted(used) if space >= 0)
