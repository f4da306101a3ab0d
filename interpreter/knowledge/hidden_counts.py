"""Draws possible states with other numbers of pieces and tokens in places that hide their size.

Numbers that follow from public numbers do not change. For example, if there is only one hidden
place, it contains everything that is in no other place. These states show the possible values of a
number. Do not continue play from them, because rules may have stored an earlier count. See
`hidden_pieces`.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence

from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.hidden_pieces import (
    bit_of,
    find_matching,
    relink,
    tied_pieces,
)
from rulewright.interpreter.knowledge.hidden_zones import hidden_zones
from rulewright.interpreter.views.compiled_game import CompiledGame


def move_numbers(
    compiled: CompiledGame,
    cells: array[int],
    guess: array[int],
    player: int,
    generator: Generator,
    fixed: Collection[int] | None = None,
) -> None:
    """Change the numbers that are hidden from a player to other possible numbers, in place.

    `guess` is the state that is changed, a copy of `cells` in which pieces have been exchanged. The
    `fixed` pieces keep their places; by default these are all tied pieces.
    """
    _move_pieces(compiled, cells, guess, player, generator, fixed)
    _move_tokens(compiled, guess, player, generator)


def _move_pieces(
    compiled: CompiledGame,
    cells: array[int],
    guess: array[int],
    player: int,
    generator: Generator,
    fixed: Collection[int] | None,
) -> None:
    viewer = compiled.viewer
    groups = hidden_zones(compiled, viewer.block_of(guess), player).uncounted
    if not any(len(zones) > 1 for zones in groups):
        return
    kept = set(tied_pieces(compiled, guess)) if fixed is None else fixed
    for zones in groups:
        _move_between(compiled, cells, guess, player, generator, kept, zones)


def _move_between(
    compiled: CompiledGame,
    cells: array[int],
    guess: array[int],
    player: int,
    generator: Generator,
    kept: Collection[int],
    zones: Sequence[int],
) -> None:
    """Move the pieces in the given zones at random between these zones, regardless of where the pieces were before."""
    viewer = compiled.viewer
    lying: dict[int, list[int]] = {}
    free: list[int] = []
    for zone in zones:
        lying[zone] = []
        for piece in viewer.lying(guess, zone):
            is_fixed = piece in kept or viewer.knows_piece(cells, piece, player)
            (lying[zone] if is_fixed else free).append(piece)
    free.sort()
    places = [_places(compiled, cells, piece, zones, player) for piece in free]
    at = _drawn_zones(compiled, places, {zone for zone in zones if lying[zone]}, generator)
    for number, piece in enumerate(free):
        to = lying[at[number]]
        to.insert(generator.below(len(to) + 1), piece)
    moved = set(free)
    shown = _shown_to_others(compiled, guess, free, player)
    for zone, pieces in lying.items():
        in_order = sorted(pieces) if viewer.place_of(zone).shape == "set" else pieces
        relink(compiled, guess, zone, in_order)
        guess[compiled.program.links.count + zone] = len(pieces)
        for piece in in_order:
            guess[compiled.program.links.zone_of + piece] = zone
            if shown and piece in moved:
                guess[compiled.program.links.known + piece] |= shown.pop()


def _shown_to_others(
    compiled: CompiledGame, guess: array[int], pieces: Sequence[int], player: int
) -> list[int]:
    """Remove the knowledge that other players have of the given pieces from `guess`.

    Returns the removed knowledge of each piece, in an order that reveals nothing.
    """
    known = compiled.program.links.known
    if known < 0:
        return []
    own = bit_of(player)
    shown = sorted((guess[known + piece] & ~own for piece in pieces), reverse=True)
    for piece in pieces:
        guess[known + piece] &= own
    return shown


def _places(
    compiled: CompiledGame, cells: array[int], piece: int, zones: Sequence[int], player: int
) -> list[int]:
    """Return the zones where a piece may be.

    A piece that the player knows stays with the player who may be moving it.
    """
    viewer, kind = compiled.viewer, compiled.viewer.kind_of(piece).name
    found = [zone for zone in zones if kind in viewer.place_of(zone).kinds]
    if not viewer.was_shown(cells, piece, player):
        return found
    owner = viewer.owner_of(cells[compiled.program.links.zone_of + piece])
    return [zone for zone in found if viewer.owner_of(zone) == owner]


def _drawn_zones(
    compiled: CompiledGame,
    places: Sequence[Sequence[int]],
    full: Collection[int],
    generator: Generator,
) -> list[int]:
    """Draw a random possible zone for each piece. A spot takes one piece, or none if it is `full`."""
    spots = {
        zone for each in places for zone in each if compiled.viewer.place_of(zone).shape == "spot"
    }
    at = [next((zone for zone in each if zone not in spots), -1) for each in places]
    only = [number for number, zone in enumerate(at) if zone < 0]
    empty = [[zone for zone in places[number] if zone not in full] for number in only]
    for number, zone in zip(only, find_matching(empty), strict=True):
        at[number] = zone
    taken = spots.intersection({*full, *at})
    for number, each in enumerate(places):
        taken.discard(at[number])
        rest = [zone for zone in each if zone not in taken]
        at[number] = rest[generator.below(len(rest))]
        taken |= spots & {at[number]}
    return at


def _move_tokens(
    compiled: CompiledGame, guess: array[int], player: int, generator: Generator
) -> None:
    groups = hidden_zones(compiled, compiled.viewer.block_of(guess), player).tokens
    for places in groups:
        left = sum(guess[cell] for cell in places)
        for cell in places[:-1]:
            guess[cell] = generator.below(left + 1)
            left -= guess[cell]
        guess[places[-1]] = left
