"""Possible states with other numbers of pieces and tokens in places that hide how many they hold.

Numbers that follow from public ones do not change: a single hidden place holds all that lie nowhere else. Use these
states to work out the possible values of a number, not to play on: rules may have counted before. See `hidden_pieces`.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping

from rulewright.dsl.ir import PlaceInfo, TokenPlace
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.hidden_pieces import relink, tied
from rulewright.interpreter.views.compiled_game import CompiledGame


def move_numbers(
    compiled: CompiledGame,
    guess: array[int],
    player: int,
    generator: Generator,
    fixed: Collection[int] | None = None,
) -> None:
    """Change the numbers that are hidden from a player to other possible ones; changes `guess` itself.

    The pieces that are `fixed` stay where they are; by default these are all tied pieces.
    """
    _move_pieces(compiled, guess, player, generator, fixed)
    _move_tokens(compiled, guess, player, generator)


def _move_pieces(
    compiled: CompiledGame,
    guess: array[int],
    player: int,
    generator: Generator,
    fixed: Collection[int] | None,
) -> None:
    viewer = compiled.viewer
    zones = dict(_uncounted(compiled, guess, player))
    if len(zones) < 2:
        return
    kept = set(tied(compiled, guess)) if fixed is None else fixed
    lying = {zone: list(viewer.lying(guess, zone)) for zone in zones}
    for zone in zones:
        near = _reached(zones, zone)
        for piece in tuple(lying[zone]):
            if piece in kept or viewer.knows_piece(guess, piece, player):
                continue
            kind = viewer.kind_of(piece).name
            places = [
                to
                for to in near
                if to == zone
                or (
                    kind in viewer.place_of(to).kinds
                    and not (viewer.place_of(to).shape == "spot" and lying[to])
                )
            ]
            to = places[generator.below(len(places))]
            lying[zone].remove(piece)
            lying[to].insert(generator.below(len(lying[to]) + 1), piece)
    for zone, pieces in lying.items():
        in_order = sorted(pieces) if viewer.place_of(zone).shape == "set" else pieces
        relink(compiled, guess, zone, in_order)
        guess[compiled.program.links.count + zone] = len(pieces)
        for piece in pieces:
            guess[compiled.program.links.zone_of + piece] = zone


def _reached(zones: Mapping[int, tuple[bool, int]], zone: int) -> list[int]:
    """The zones to which something in a zone may move, directly or through others."""
    met = [zone]
    for one in met:
        met += [to for to in zones if to not in met and _may_change(zones[one], zones[to])]
    return met


def _may_change(one: tuple[bool, int], other: tuple[bool, int]) -> bool:
    """Whether something may lie in either of two zones without changing a number that the player sees."""
    return (one[0] and other[0]) or (one[1] >= 0 and one[1] == other[1])


def _uncounted(
    compiled: CompiledGame, cells: array[int], player: int
) -> Iterator[tuple[int, tuple[bool, int]]]:
    """The zones whose number of things a player does not see.

    For each, whether the number is always hidden, and the player who may be moving things there now (-1: nobody).
    """
    viewer = compiled.viewer
    for place in compiled.program.places:
        if not may_hold_others(compiled, cells, place):
            continue
        apart = viewer.is_apart(cells, place)
        for zone, owner in viewer.zones_of(place):
            if not viewer.may_see(place, owner, player):
                yield zone, (not place.except_for, owner if apart else -1)


def may_hold_others(
    compiled: CompiledGame, cells: array[int], family: PlaceInfo | TokenPlace
) -> bool:
    """Whether to try other numbers for the hidden places of this family.

    No for slots, and for places that show something of their contents all the same.
    """
    if family.cell_of >= 0 or (isinstance(family, PlaceInfo) and family.shape == "row"):
        return False
    if compiled.viewer.is_apart(cells, family):
        return not compiled.viewer.is_counted(cells, family)
    return not family.except_for


def _move_tokens(
    compiled: CompiledGame, guess: array[int], player: int, generator: Generator
) -> None:
    hidden: dict[tuple[str, int, int], list[int]] = {}
    for tokens in compiled.program.tokens:
        if not may_hold_others(compiled, guess, tokens):
            continue
        apart = compiled.viewer.is_apart(guess, tokens)
        for cell, owner, colour in token_cells(tokens):
            if not compiled.viewer.may_see(tokens, owner, player):
                key = tokens.token, colour, owner if apart else -1
                hidden.setdefault(key, []).append(cell)
    for places in hidden.values():
        left = sum(guess[cell] for cell in places)
        for cell in places[:-1]:
            guess[cell] = generator.below(left + 1)
            left -= guess[cell]
        guess[places[-1]] = left


def token_cells(tokens: TokenPlace) -> Iterator[tuple[int, int, int]]:
    """The cells of a place of tokens, each with its owner and the player whose tokens it counts (-1: nobody's)."""
    members = tokens.colours
    for size in tokens.sizes:
        members *= size
    for position, owner in enumerate(tokens.owners):
        first = tokens.base + position * tokens.stride
        for number in range(members):
            colour = number % tokens.colours if tokens.colours > 1 else -1
            yield first + number, owner, owner if tokens.own_colour else colour
