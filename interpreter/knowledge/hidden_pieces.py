"""Draws possible states for one player, in which hidden pieces have changed places at random.

Pieces, of any kind, change places only with pieces that the player cannot distinguish from them.
The player's views stay the same. Hidden values and the local values of running rules do not change.

A sample must depend only on the view of the player, not on the true arrangement. So all places are
used in an order that the player could also determine. The exchanges begin with an arrangement that
depends only on the pieces in these places.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import frozen

from rulewright.dsl.ir import Kept, PieceKind, PlaceInfo
from rulewright.interpreter.engines.chance import Generator, draw
from rulewright.interpreter.knowledge.hidden_zones import hidden_zones
from rulewright.interpreter.views.compiled_game import CompiledGame

_EXCHANGES = 4
"""How many exchanges are tried per piece and per doubling of the number of pieces."""


def possible_state(
    compiled: CompiledGame, cells: array[int], player: int, generator: Generator
) -> array[int]:
    """Draw another state that looks the same to a player. All states that look the same are equally
    likely. `cells` does not change."""
    swapped = draw_exchange(compiled, cells, player, generator)
    return exchange_pieces(compiled, cells, swapped, player)


def unknown_to(compiled: CompiledGame, cells: array[int], player: int) -> list[Unknown]:
    """Return the pieces that a player does not know, in groups. Pieces of the same group may have changed places."""
    return interchangeable(
        compiled, cells, player, set(tied_pieces(compiled, cells)), with_numbers=True
    )


def draw_exchange(
    compiled: CompiledGame, cells: array[int], player: int, generator: Generator
) -> dict[int, int]:
    """Map each piece that a player does not know to a piece that may be in its place instead."""
    return draw_exchange_in(unknown_to(compiled, cells, player), generator)


def draw_exchange_in(groups: Sequence[Unknown], generator: Generator) -> dict[int, int]:
    """Map each piece of the given groups to a piece that may be in its place instead."""
    swapped: dict[int, int] = {}
    for unknown in groups:
        swapped.update(zip(unknown.pieces, unknown.draw_arrangement(generator), strict=True))
    return swapped


def exchange_pieces(
    compiled: CompiledGame, cells: array[int], swapped: Mapping[int, int], player: int = -1
) -> array[int]:
    """Return a copy of the cells in which the pieces in `swapped` have changed places.

    The knowledge of `player` about a piece moves with the piece. The knowledge of other players
    stays with the place.
    """
    guess = cells[:]
    if swapped:
        _swap(compiled, cells, guess, swapped, player)
        _sort_sets(compiled, guess, swapped)
    return guess


@frozen
class _Profile:
    """The knowledge of a player about a hidden piece, independent of its place.

    While all players decide at the same time, a known piece stays in the places that `with_player`
    may now be changing.
    """

    kind: str
    columns: tuple[tuple[str, object], ...]
    with_player: int = -1


@frozen
class _Need:
    """The knowledge of a player about a hidden place: the kinds of pieces that it may contain, and
    the columns that it shows.

    The bits of `may_move` are the players who may now be moving pieces in the place.
    """

    kinds: tuple[str, ...]
    shown: tuple[tuple[str, object], ...]
    may_move: int = 0

    def fits(self, piece: _Profile) -> bool:
        """Return whether a piece with the given profile could be in the place without a visible difference."""
        if piece.kind not in self.kinds:
            return False
        if piece.with_player >= 0 and not self.may_move >> piece.with_player & 1:
            return False
        columns = dict(piece.columns)
        return all(columns.get(name) == value for name, value in self.shown)


@frozen(eq=False)
class Unknown:
    """Hidden pieces that may be in each other's places, given what a player knows. The pieces are
    in the order of their places."""

    pieces: tuple[int, ...]
    _sorts: Mapping[int, _Profile]
    _needs: Mapping[int, _Need]

    def draw_arrangement(
        self, generator: Generator, among: Sequence[int] | None = None
    ) -> list[int]:
        """Draw a random possible arrangement of the pieces. The result contains the piece for each place.

        If `among` is given, only these pieces change places. The result does not depend on the
        current arrangement.
        """
        places = self.pieces if among is None else among
        profiles, needs, fits = self._fitting
        lying = sorted(places)
        if all(fits[profiles[one]][needs[other]] for one in places for other in places):
            for place in range(len(lying) - 1, 0, -1):
                other = generator.below(place + 1)
                lying[place], lying[other] = lying[other], lying[place]
            return lying
        # Not every piece fits every place, so make enough random allowed exchanges to forget the
        # initial arrangement.
        wanted = [needs[piece] for piece in places]
        lying = self._first(places)
        profile = [profiles[piece] for piece in lying]
        key, counter, count = generator.key, generator.counter, len(lying)
        for step in range(_EXCHANGES * count * count.bit_length()):
            one = step % count
            other, counter = draw(key, counter, count)
            if fits[profile[one]][wanted[other]] and fits[profile[other]][wanted[one]]:
                lying[one], lying[other] = lying[other], lying[one]
                profile[one], profile[other] = profile[other], profile[one]
        generator.counter = counter
        return lying

    def _first(self, places: Sequence[int]) -> list[int]:
        """Return the initial arrangement for exchanges. It depends only on the orders of the places and of the pieces.

        Each place takes the first piece that fits. If none is left, an earlier place releases its
        piece and takes another piece.
        """
        profiles, needs, fits = self._fitting
        pieces = sorted(places)
        by_need = {
            need: [number for number, piece in enumerate(pieces) if fits[profiles[piece]][need]]
            for need in {needs[piece] for piece in places}
        }
        return [
            pieces[number] for number in find_matching([by_need[needs[piece]] for piece in places])
        ]

    @cached_property
    def _fitting(self) -> tuple[dict[int, int], dict[int, int], list[list[bool]]]:
        """Return the number of each piece's profile, the number of each piece's need, and a table
        that says which profiles fit which needs.
        """
        profiles = list(dict.fromkeys(self._sorts[piece] for piece in self.pieces))
        needs = list(dict.fromkeys(self._needs[piece] for piece in self.pieces))
        return (
            {piece: profiles.index(self._sorts[piece]) for piece in self.pieces},
            {piece: needs.index(self._needs[piece]) for piece in self.pieces},
            [[need.fits(profile) for need in needs] for profile in profiles],
        )

    def fits(self, piece: int, place: int) -> bool:
        """Return whether a piece may be in the place of another piece."""
        return self._needs[place].fits(self._sorts[piece])


def find_matching(wanted: Sequence[Sequence[int]]) -> list[int]:
    """Find a matching: a different number for each taker, from the numbers that the taker accepts.

    Each taker gets the first number that is left. If none is left, an earlier taker releases its
    number and takes another.

    >>> find_matching([[1, 2], [1]])
    [2, 1]
    """
    given = [-1] * len(wanted)
    taker_of: dict[int, int] = {}
    for taker in range(len(wanted)):
        asked, via = [taker], dict[int, int]()
        free = -1
        for one in asked:
            for number in wanted[one]:
                if free < 0 and number not in via:
                    via[number] = one
                    if number in taker_of:
                        asked.append(taker_of[number])
                    else:
                        free = number
            if free >= 0:
                break
        while free >= 0:
            to = taker_of[free] = via[free]
            given[to], free = free, given[to]
    return given


def interchangeable(
    compiled: CompiledGame,
    cells: array[int],
    player: int,
    tied: Collection[int] = (),
    *,
    with_numbers: bool = False,
) -> list[Unknown]:
    """Return groups of hidden pieces that may be in each other's places, given what a player knows.

    Tied pieces are left out. `with_numbers` means that hidden numbers will change as well (see
    `hidden_counts.py`). In that case, places are treated as equal if pieces may be moved between
    them unseen.
    """
    viewer, links = compiled.viewer, compiled.program.links
    may_move = hidden_zones(compiled, viewer.block_of(cells), player).may_move
    profiles: dict[int, _Profile] = {}
    needs: dict[int, _Need] = {}
    disclosed = disclosed_anywhere(compiled)
    for piece in _by_place(compiled, cells, player, tied):
        kind = viewer.kind_of(piece)
        zone = cells[links.zone_of + piece]
        place = viewer.place_of(zone)
        columns = tuple(columns_of(compiled, kind, piece, disclosed))
        shown = tuple(each for each in columns if each[0] in place.except_for)
        apart = -1
        if viewer.is_apart(cells, place):
            apart, shown = viewer.owner_of(zone), ()
        kept = apart if viewer.was_shown(cells, piece, player) else -1
        profiles[piece] = _Profile(kind.name, columns, kept)
        moving = 1 << apart if apart >= 0 else 0
        needs[piece] = _Need(place.kinds, shown, may_move[zone] if with_numbers else moving)
    return [
        Unknown(tuple(piece for piece in needs if needs[piece] in met), profiles, needs)
        for met in _connected_groups(list(dict.fromkeys(needs.values())), set(profiles.values()))
    ]


def _by_place(
    compiled: CompiledGame, cells: array[int], player: int, tied: Collection[int]
) -> Iterator[int]:
    """Yield the hidden pieces in the order of their places.

    The pieces of a set have no order. They are sorted by what other players know about them, and by
    the columns that the set shows.
    """
    viewer, links = compiled.viewer, compiled.program.links
    for zone in hidden_zones(compiled, viewer.block_of(cells), player).zones:
        place = viewer.place_of(zone)
        pieces = [
            piece
            for piece in viewer.lying(cells, zone)
            if piece not in tied and not viewer.knows_piece(cells, piece, player)
        ]
        if place.shape == "set" and len(pieces) > 1:
            known = dict.fromkeys(pieces, 0)
            if links.known >= 0:
                known = {piece: cells[links.known + piece] & ~bit_of(player) for piece in pieces}
            backs = {} if viewer.is_apart(cells, place) else _backs(compiled, place)
            pieces.sort(key=lambda piece: (known[piece], backs.get(piece, 0)))
        yield from pieces


def bit_of(player: int) -> int:
    """Return the bit that stands for a player in the mask of who knows a piece, or 0 for a
    spectator.
    """
    return 1 << player if player >= 0 else 0


def _backs(compiled: CompiledGame, place: PlaceInfo) -> dict[int, int]:
    """Map each piece to a number that stands for its values in the columns that a place shows. If
    the place shows no columns, the map is empty."""
    disclosed = disclosed_anywhere(compiled).intersection(place.except_for)
    if not disclosed:
        return {}
    numbers: dict[tuple[tuple[str, object], ...], int] = {}
    return {
        piece: numbers.setdefault(tuple(columns_of(compiled, kind, piece, disclosed)), len(numbers))
        for kind in compiled.program.pieces
        for piece in range(kind.first, kind.first + kind.count)
    }


def disclosed_anywhere(compiled: CompiledGame) -> frozenset[str]:
    """Return the columns of hidden pieces that at least one place shows."""
    names = {name for place in compiled.program.places for name in place.except_for}
    return frozenset(names - {"size"})


def columns_of(
    compiled: CompiledGame, kind: PieceKind, piece: int, disclosed: Collection[str]
) -> Iterator[tuple[str, object]]:
    for name, _, table in kind.columns:
        if name in disclosed:
            yield name, compiled.program.tables[table][piece - kind.first]


def _connected_groups(
    needs: Sequence[_Need], profiles: Collection[_Profile]
) -> Iterator[set[_Need]]:
    """Yield groups of needs. Needs are in the same group if they are connected by profiles that fit several of them."""
    left = list(needs)
    while left:
        met = [left.pop(0)]
        for one in met:
            fitting = [profile for profile in profiles if one.fits(profile)]
            near = [need for need in left if any(need.fits(profile) for profile in fitting)]
            met += near
            left = [need for need in left if need not in near]
        yield set(met)


def tied_pieces(
    compiled: CompiledGame, cells: array[int], seen_by: int | None = None
) -> Iterator[int]:
    """Yield pieces that keep their places, because stored values refer to them or other things are on them.

    If `seen_by` is given, only values that this player may see are considered. A hidden value
    reveals nothing about a piece.
    """
    program = compiled.program
    kinds = {kind.name for kind in program.pieces}
    for kept in program.kept:
        refers, is_on_pieces = compiled.words.is_of_pieces(kept.domain), kept.owner in kinds
        for owner, cell in cells_of(kept) if refers or is_on_pieces else ():
            if seen_by is None or compiled.viewer.may_see(kept, owner, seen_by):
                if refers:
                    yield cells[cell]
                if is_on_pieces and cells[cell] != kept.start:
                    yield owner
    for place in program.places:
        if place.owner in kinds:
            for zone, owner in compiled.viewer.zones_of(place):
                if cells[program.links.count + zone]:
                    yield owner
    for tokens in program.tokens:
        if tokens.owner in kinds:
            for position, owner in enumerate(tokens.owners):
                first = tokens.base + position * tokens.stride
                if any(cells[first : first + tokens.stride]):
                    yield owner


def cells_of(kept: Kept) -> Iterator[tuple[int, int]]:
    """Yield the cells of a stored value, each with its owner."""
    size = kept.list_capacity + 1
    for length in kept.sizes:
        size *= length
    for position, owner in enumerate(kept.owners):
        first = kept.base + position * kept.stride
        yield from ((owner, cell) for cell in range(first, first + size))


def _swap(
    compiled: CompiledGame,
    cells: array[int],
    guess: array[int],
    swapped: Mapping[int, int],
    player: int,
) -> None:
    links = compiled.program.links
    moved = {piece: other for piece, other in swapped.items() if piece != other}
    zones = {cells[links.zone_of + piece] for piece in moved} - {-1}
    own = bit_of(player)
    for piece, other in moved.items():
        for base in (links.zone_of, links.slot_of):
            if base >= 0:
                guess[base + other] = cells[base + piece]
        if links.known >= 0:
            known = cells[links.known + piece] & ~own
            guess[links.known + other] = known | (cells[links.known + other] & own)
        for base, back in ((links.next, links.previous), (links.previous, links.next)):
            neighbour = cells[base + piece]
            guess[base + other] = moved.get(neighbour, neighbour)
            if neighbour >= 0 and neighbour not in moved:
                guess[back + neighbour] = other
    for zone in zones:
        for base in (links.head, links.tail):
            guess[base + zone] = moved.get(cells[base + zone], cells[base + zone])
    for zone, first, slots in links.row_cells:
        for cell in range(first, first + slots) if zone in zones else ():
            guess[cell] = moved.get(cells[cell], cells[cell])


def _sort_sets(compiled: CompiledGame, guess: array[int], swapped: Mapping[int, int]) -> None:
    """Link the pieces of each changed set in the order of their numbers."""
    links, viewer = compiled.program.links, compiled.viewer
    moved = (other for piece, other in swapped.items() if piece != other)
    for zone in {guess[links.zone_of + piece] for piece in moved} - {-1}:
        if viewer.place_of(zone).shape != "set":
            continue
        relink(compiled, guess, zone, sorted(viewer.lying(guess, zone)))


def relink(compiled: CompiledGame, guess: array[int], zone: int, lying: Sequence[int]) -> None:
    """Link the pieces of a zone without slots in the order of `lying`, from bottom to top."""
    links = compiled.program.links
    guess[links.head + zone] = lying[0] if lying else -1
    guess[links.tail + zone] = lying[-1] if lying else -1
    for piece, below, above in zip(lying, [-1, *lying], [*lying[1:], -1], strict=False):
        guess[links.previous + piece] = below
        guess[links.next + piece] = above
