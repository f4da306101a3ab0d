"""A state as it might be for all that one player knows: hidden pieces change places at random.

Pieces change places only with such of their kind as the player cannot tell apart; views of the
player stay the same. Hidden values and what the running rules have put aside are left as they are.
Refuses to choose anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator

from rulewright.dsl.ir import Kept, PieceKind
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.viewing.variant import Variant


def possible_state(
    variant: Variant, cells: array[int], player: int, generator: Generator
) -> array[int]:
    """Another state that looks the same to a player, each equally likely; the cells are left
    alone.
    """
    swapped: dict[int, int] = {}
    for pieces in alike(variant, cells, player, set(tied(variant, cells))):
        shuffled = list(pieces)
        for place in range(len(shuffled) - 1, 0, -1):
            other = generator.below(place + 1)
            shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
        swapped.update(zip(pieces, shuffled, strict=True))
    return exchanged(variant, cells, swapped)


def exchanged(variant: Variant, cells: array[int], swapped: dict[int, int]) -> array[int]:
    """The cells with each of some pieces in the place of another of them."""
    guess = cells[:]
    if swapped:
        _swap(variant, cells, guess, swapped)
        _sort_sets(variant, guess, swapped)
    return guess


def alike(
    variant: Variant, cells: array[int], player: int, tied: Collection[int] = ()
) -> Iterable[list[int]]:
    """Groups of hidden pieces that a player cannot tell apart, but for those that are tied."""
    viewer, links = variant.viewer, variant.program.links
    groups: dict[tuple[object, ...], list[int]] = {}
    for kind in variant.program.pieces:
        for piece in range(kind.first, kind.first + kind.count):
            if piece in tied or viewer.knows_piece(cells, piece, player):
                continue
            seen = {"owner", *viewer.place_of(cells[links.zone_of + piece]).except_for}
            key = (kind.name, *_told(variant, kind, piece, seen))
            groups.setdefault(key, []).append(piece)
    return groups.values()


def _told(variant: Variant, kind: PieceKind, piece: int, seen: set[str]) -> Iterator[object]:
    for name, _, table in kind.columns:
        if name in seen:
            yield name, variant.program.tables[table][piece - kind.first]


def tied(variant: Variant, cells: array[int]) -> Iterator[int]:
    """Pieces that a stored value speaks of, or that something lies on: these keep their places."""
    program = variant.program
    kinds = {kind.name for kind in program.pieces}
    for kept in program.kept:
        kept_in = list(cells_of(kept))
        if variant.words.is_of_pieces(kept.domain):
            yield from (cells[cell] for _, cell in kept_in)
        if kept.owner in kinds:
            yield from (owner for owner, cell in kept_in if cells[cell] != kept.start)
    for place in program.places:
        if place.owner in kinds:
            for zone, owner in variant.viewer.zones_of(place):
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


def _swap(variant: Variant, cells: array[int], guess: array[int], swapped: dict[int, int]) -> None:
    links = variant.program.links
    for piece, other in swapped.items():
        for base in (links.zone_of, links.slot_of, links.known):
            if base >= 0:
                guess[base + other] = cells[base + piece]
    for base in (links.next, links.previous):
        for piece in range(links.pieces):
            neighbour = cells[base + piece]
            guess[base + swapped.get(piece, piece)] = swapped.get(neighbour, neighbour)
    for base in (links.head, links.tail):
        for zone in range(base, base + links.zones):
            guess[zone] = swapped.get(cells[zone], cells[zone])
    for _, first, slots in links.row_cells:
        for cell in range(first, first + slots):
            guess[cell] = swapped.get(cells[cell], cells[cell])


def _sort_sets(variant: Variant, guess: array[int], swapped: dict[int, int]) -> None:
    """Sets are linked in the order of their pieces."""
    links, viewer = variant.program.links, variant.viewer
    for zone in {guess[links.zone_of + piece] for piece in swapped.values()}:
        if viewer.place_of(zone).shape != "set":
            continue
        lying = sorted(viewer.lying(guess, zone))
        guess[links.head + zone], guess[links.tail + zone] = lying[0], lying[-1]
        for piece, below, above in zip(lying, [-1, *lying], [*lying[1:], -1], strict=False):
            guess[links.previous + piece] = below
            guess[links.next + piece] = above
