"""Checks that a state is consistent: every piece is in one place, tokens add up, and values are in range.

No rules can break this consistency. A contradiction means that an engine has a bug, or that someone
has changed the state.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from rulewright.dsl.ir import Kept, PlaceInfo, Program, TokenPlace
from rulewright.interpreter.text.faults import InternalError
from rulewright.interpreter.views.compiled_game import CompiledGame


def check_components(compiled: CompiledGame, cells: array[int]) -> None:
    """Raise an error for an inconsistent state."""
    for problem in audit(compiled, cells):
        raise InternalError(problem)


def audit(compiled: CompiledGame, cells: Sequence[int]) -> Iterator[str]:
    """Yield a sentence for each contradiction in a state after setup."""
    yield from _pieces(compiled, cells)
    yield from _tokens(compiled.program, cells)
    for kept in compiled.program.kept:
        yield from _values(compiled.program, kept, cells)


def box(program: Program) -> dict[tuple[str, int], int]:
    """Count the tokens of each kind and colour (-1 means nobody's). These numbers never change."""
    start = dict(program.start)
    return _token_counts(program, lambda cell: start.get(cell, 0))


# ---- pieces --------------------------------------------------------------------------------------


def _pieces(compiled: CompiledGame, cells: Sequence[int]) -> Iterator[str]:
    links, viewer = compiled.program.links, compiled.viewer
    kinds = [kind.name for kind in compiled.program.pieces for _ in range(kind.count)]
    places: list[list[str]] = [[] for _ in range(links.pieces)]
    for place in compiled.program.places:
        for zone, _ in viewer.zones_of(place):
            lying, ends = _lying(compiled, cells, zone)
            if not ends:
                yield f"{place.name} has pieces linked in a circle"
            count = cells[links.count + zone]
            if len(lying) != count:
                yield f"{place.name} holds {len(lying)} pieces but counts {count}"
            if len(lying) > _room(place):
                yield f"{place.name} holds {len(lying)} pieces but has room for {_room(place)}"
            if place.shape == "set" and lying != sorted(lying):
                yield f"the set {place.name} is out of order"
            for piece in lying:
                places[piece].append(place.name)
                if kinds[piece] not in place.kinds:
                    yield f"{viewer.piece_name(piece)} lies in {place.name}, which is not for {kinds[piece]}"
                if cells[links.zone_of + piece] != zone:
                    yield f"{viewer.piece_name(piece)} is linked in {place.name} but stored elsewhere"
    start = compiled.begin()
    for piece, found in enumerate(places):
        if not found and cells[links.zone_of + piece] == start[links.zone_of + piece] == -1:
            continue  # the piece has never been put anywhere
        if len(found) != 1:
            where = " and ".join(found) or "nowhere"
            yield f"{viewer.piece_name(piece)} lies {where if not found else f'in {where}'}"


def _lying(compiled: CompiledGame, cells: Sequence[int], zone: int) -> tuple[list[int], bool]:
    """Return the pieces of a zone, and whether the chain of their links ends."""
    found: list[int] = []
    for piece in compiled.viewer.lying(cells, zone):
        if piece in found or not 0 <= piece < compiled.program.links.pieces:
            return found, False
        found.append(piece)
    return found, True


def _room(place: PlaceInfo) -> int:
    return {"spot": 1, "row": place.slots}.get(place.shape, 2**31)


# ---- tokens --------------------------------------------------------------------------------------


def _tokens(program: Program, cells: Sequence[int]) -> Iterator[str]:
    for place in program.tokens:
        if any(cells[cell] < 0 for cell, _ in _token_cells(place, program.seats)):
            yield f"{place.name} holds a negative number of {place.token}"
    found = _token_counts(program, lambda cell: cells[cell])
    for (token, colour), count in box(program).items():
        if found[token, colour] != count:
            whose = f" of player {colour + 1}" if colour >= 0 else ""
            yield f"there are {found[token, colour]} {token}{whose}, but {count} in the box"


def _token_counts(program: Program, number: Callable[[int], int]) -> dict[tuple[str, int], int]:
    counts: Counter[tuple[str, int]] = Counter()
    for place in program.tokens:
        for cell, colour in _token_cells(place, program.seats):
            counts[place.token, colour] += number(cell)
    return counts


def _token_cells(place: TokenPlace, seats: int) -> Iterator[tuple[int, int]]:
    """Yield each cell of a place for tokens, with the colour of the tokens that it counts.

    In a game with a single player, the cells belong to no colour.
    """
    members = _product(place.sizes)
    for position, owner in enumerate(place.owners):
        first = place.base + position * place.stride
        for number in range(members * place.colours):
            colour = number % place.colours if place.colours > 1 else -1
            yield first + number, owner if place.own_colour and seats > 1 else colour


# ---- values --------------------------------------------------------------------------------------


def _values(program: Program, kept: Kept, cells: Sequence[int]) -> Iterator[str]:
    domain = program.domains[kept.domain]
    low, high = kept.low, kept.high
    if domain.names or not domain.name.startswith("number"):
        # The value is a player, a piece or a value of a kind, or -1 for none of these.
        low, high = min(-1, domain.offset), domain.offset + len(domain.names) - 1
    width = kept.list_capacity + 1 if kept.list_capacity else 1
    for position in range(len(kept.owners)):
        first = kept.base + position * kept.stride
        for cell in range(first, first + width * _product(kept.sizes), width):
            values = [cells[cell]]
            if kept.list_capacity:
                length = cells[cell]
                if not 0 <= length <= kept.list_capacity:
                    yield f"{kept.name} has {length} items but room for {kept.list_capacity}"
                    continue
                values = list(cells[cell + 1 : cell + 1 + length])
            for value in values:
                if not low <= value <= high:
                    yield f"{kept.name} is {value}, but its range is {low}..{high}"


def _product(sizes: Sequence[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total
