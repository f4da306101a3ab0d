"""Possible states for one player: hidden pieces change places at random.

Pieces, of any kind, change places only with pieces that the player cannot tell apart from them; the player's views
stay the same. Hidden values and the local values of running rules do not change. Does not choose anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import frozen

from rulewright.dsl.ir import Kept, PieceKind
from rulewright.interpreter.engines.chance import Generator, draw
from rulewright.interpreter.views.compiled_game import CompiledGame

_EXCHANGES = 4
"""How many exchanges are tried, for each piece and each doubling of their number."""


def possible_state(
    compiled: CompiledGame, cells: array[int], player: int, generator: Generator
) -> array[int]:
    """Another state that looks the same to a player, each equally likely; `cells` do not change."""
    return exchanged(compiled, cells, exchange(compiled, cells, player, generator))


def unknown_to(compiled: CompiledGame, cells: array[int], player: int) -> list[Unknown]:
    """The pieces that a player does not know, in groups in which they may have changed places."""
    return alike(compiled, cells, player, set(tied(compiled, cells)))


def exchange(
    compiled: CompiledGame, cells: array[int], player: int, generator: Generator
) -> dict[int, int]:
    """For each piece that a player does not know, another one that might lie in its place."""
    return exchange_in(unknown_to(compiled, cells, player), generator)


def exchange_in(groups: Sequence[Unknown], generator: Generator) -> dict[int, int]:
    """For each piece of some groups, another one that might lie in its place."""
    swapped: dict[int, int] = {}
    for unknown in groups:
        swapped.update(zip(unknown.pieces, unknown.mixed(generator), strict=True))
    return swapped


def exchanged(compiled: CompiledGame, cells: array[int], swapped: Mapping[int, int]) -> array[int]:
    """The cells with each of some pieces in the place of another of them."""
    guess = cells[:]
    if swapped:
        _swap(compiled, cells, guess, swapped)
        _sort_sets(compiled, guess, swapped)
    return guess


@frozen
class _Face:
    """A player's knowledge of a piece from its place, and the columns that it would show elsewhere.

    Pieces of `kinds` may lie in its place, which shows everyone the values of the columns `told`. While all decide at
    the same time, a known piece stays `with_player`, among the pieces that this player may be moving. `of_player` is
    that player for its place.
    """

    kind: str
    columns: tuple[tuple[str, object], ...]
    kinds: tuple[str, ...]
    told: tuple[str, ...]
    with_player: int = -1
    of_player: int = -1

    def fits(self, other: _Face) -> bool:
        """Whether this piece could lie in the place of the other without a visible difference."""
        if self.kind not in other.kinds or self.with_player not in (-1, other.of_player):
            return False
        mine, wanted = dict(self.columns), dict(other.columns)
        return all(mine.get(name) == wanted.get(name) for name in other.told)


@frozen(eq=False)
class Unknown:
    """Hidden pieces that may lie in each other's places, for all a player knows."""

    pieces: tuple[int, ...]
    _faces: Mapping[int, _Face]

    def mixed(self, generator: Generator, among: Sequence[int] | None = None) -> list[int]:
        """A random possible arrangement of the pieces, or of those `among`: the piece in the place of each."""
        pieces = list(self.pieces if among is None else among)
        lying = list(pieces)
        numbers, fits = self._fitting
        wanted = [numbers[self._faces[piece]] for piece in pieces]
        met = set(wanted)
        if all(fits[one][other] for one in met for other in met):
            for place in range(len(lying) - 1, 0, -1):
                other = generator.below(place + 1)
                lying[place], lying[other] = lying[other], lying[place]
            return lying
        # Not every piece fits every place: make enough random allowed exchanges to forget the start.
        sort = wanted[:]
        key, counter, count = generator.key, generator.counter, len(pieces)
        for step in range(_EXCHANGES * count * count.bit_length()):
            one = step % count
            other, counter = draw(key, counter, count)
            if fits[sort[one]][wanted[other]] and fits[sort[other]][wanted[one]]:
                lying[one], lying[other] = lying[other], lying[one]
                sort[one], sort[other] = sort[other], sort[one]
        generator.counter = counter
        return lying

    @cached_property
    def _fitting(self) -> tuple[dict[_Face, int], list[list[bool]]]:
        """A number for each face, and a table of which faces may lie in the place of which others."""
        faces = list(dict.fromkeys(self._faces[piece] for piece in self.pieces))
        numbers = {face: number for number, face in enumerate(faces)}
        return numbers, [[one.fits(other) for other in faces] for one in faces]

    def fits(self, piece: int, place: int) -> bool:
        """Whether a piece may lie where another one lies."""
        return self._faces[piece].fits(self._faces[place])


def alike(
    compiled: CompiledGame, cells: array[int], player: int, tied: Collection[int] = ()
) -> list[Unknown]:
    """Hidden pieces that may lie in each other's places for all a player knows, but for those that are tied."""
    viewer, links = compiled.viewer, compiled.program.links
    by_face: dict[_Face, list[int]] = {}
    faces: dict[int, _Face] = {}
    told = told_anywhere(compiled)
    for kind in compiled.program.pieces:
        for piece in range(kind.first, kind.first + kind.count):
            if piece in tied or viewer.knows_piece(cells, piece, player):
                continue
            place = viewer.place_of(cells[links.zone_of + piece])
            columns = tuple(columns_of(compiled, kind, piece, told))
            shown = tuple(name for name in place.except_for if name in told)
            apart = -1
            if viewer.is_apart(cells, place):
                apart, shown = viewer.owner_of(cells[links.zone_of + piece]), ()
            kept = apart if viewer.was_shown(cells, piece, player) else -1
            face = _Face(kind.name, columns, place.kinds, shown, kept, apart)
            faces[piece] = face
            by_face.setdefault(face, []).append(piece)
    return [
        Unknown(tuple(sorted(piece for face in met for piece in by_face[face])), faces)
        for met in _connected(list(by_face))
    ]


def told_anywhere(compiled: CompiledGame) -> frozenset[str]:
    """The columns that any place shows of hidden pieces."""
    names = {name for place in compiled.program.places for name in place.except_for}
    return frozenset(names - {"size"})


def columns_of(
    compiled: CompiledGame, kind: PieceKind, piece: int, told: Collection[str]
) -> Iterator[tuple[str, object]]:
    for name, _, table in kind.columns:
        if name in told:
            yield name, compiled.program.tables[table][piece - kind.first]


def _connected(faces: Sequence[_Face]) -> Iterator[list[_Face]]:
    """Groups of faces that are connected by exchanges."""
    left = list(faces)
    while left:
        met = [left.pop(0)]
        for one in met:
            near = [face for face in left if one.fits(face) and face.fits(one)]
            met += near
            left = [face for face in left if face not in near]
        yield met


def tied(compiled: CompiledGame, cells: array[int], seen_by: int | None = None) -> Iterator[int]:
    """Pieces that keep their places: stored values refer to them, or something lies on them.

    With `seen_by`, only values that this player may see count: a hidden value tells nothing about a piece.
    """
    program = compiled.program
    kinds = {kind.name for kind in program.pieces}
    for kept in program.kept:
        kept_in = [
            (owner, cell)
            for owner, cell in cells_of(kept)
            if seen_by is None or compiled.viewer.may_see(kept, owner, seen_by)
        ]
        if compiled.words.is_of_pieces(kept.domain):
            yield from (cells[cell] for _, cell in kept_in)
        if kept.owner in kinds:
            yield from (owner for owner, cell in kept_in if cells[cell] != kept.start)
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
    """The cells of a value that is kept, each with its owner."""
    size = kept.list_capacity + 1
    for length in kept.sizes:
        size *= length
    for position, owner in enumerate(kept.owners):
        first = kept.base + position * kept.stride
        yield from ((owner, cell) for cell in range(first, first + size))


def _swap(
    compiled: CompiledGame, cells: array[int], guess: array[int], swapped: Mapping[int, int]
) -> None:
    links = compiled.program.links
    moved = {piece: other for piece, other in swapped.items() if piece != other}
    zones = {cells[links.zone_of + piece] for piece in moved} - {-1}
    for piece, other in moved.items():
        for base in (links.zone_of, links.slot_of, links.known):
            if base >= 0:
                guess[base + other] = cells[base + piece]
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
    """Link the pieces of a zone that has no slots in this order, from bottom to top."""
    links = compiled.program.links
    guess[links.head + zone] = lying[0] if lying else -1
    guess[links.tail + zone] = lying[-1] if lying else -1
    for piece, below, above in zip(lying, [-1, *lying], [*lying[1:], -1], strict=False):
        guess[links.previous + piece] = below
        guess[links.next + piece] = above
