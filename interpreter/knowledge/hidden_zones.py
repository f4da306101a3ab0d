"""Lists the zones whose contents a player does not see in a fixed order, and those that also hide their size.

Sampling uses hidden places in this order (see `hidden_pieces.py`). Zones that hide their size come
last, and zones between which pieces may be moved unseen are adjacent. So the order of other places
does not depend on the contents of zones that hide their size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from weakref import WeakKeyDictionary

from attrs import frozen

from rulewright.dsl.ir import PlaceInfo, TokenPlace
from rulewright.interpreter.views.compiled_game import CompiledGame


@frozen
class HiddenZones:
    """The zones that a player does not see, during a simultaneous block or outside of such blocks."""

    zones: tuple[int, ...]
    """All hidden zones, in the order that sampling uses."""
    uncounted: tuple[tuple[int, ...], ...]
    """The zones that hide their size, in groups. Within a group, pieces may be moved unseen."""
    may_move: Mapping[int, int]
    """For each zone, the players who may now be moving pieces in the zone or its group, as bits."""
    tokens: tuple[tuple[int, ...], ...]
    """The cells that count hidden tokens, in groups. Within a group, tokens may be moved unseen."""


_FOUND: WeakKeyDictionary[CompiledGame, dict[tuple[int, int], HiddenZones]] = WeakKeyDictionary()


def hidden_zones(compiled: CompiledGame, block: int, player: int) -> HiddenZones:
    """Return the zones that are hidden from a player during simultaneous block number `block` (0:
    outside of such blocks)."""
    known = _FOUND.setdefault(compiled, {})
    found = known.get((block, player))
    if found is None:
        found = known[block, player] = _find_hidden_zones(compiled, block, player)
    return found


def _find_hidden_zones(compiled: CompiledGame, block: int, player: int) -> HiddenZones:
    viewer = compiled.viewer
    counted: list[int] = []
    may_move: dict[int, int] = {}
    uncounted: dict[int, tuple[bool, int]] = {}
    for place in compiled.program.places:
        apart = viewer.is_apart_in(block, place)
        for zone, owner in viewer.zones_of(place):
            if viewer.may_see(place, owner, player):
                continue
            may_move[zone] = 1 << owner if apart else 0
            if may_hold_others(compiled, block, place):
                uncounted[zone] = not place.except_for, owner if apart else -1
            else:
                counted.append(zone)
    groups: list[tuple[int, ...]] = []
    for zone in sorted(uncounted):
        if not any(zone in group for group in groups):
            groups.append(_reachable_zones(uncounted, zone))
    for group in groups:
        everybody = reduce(or_, (may_move[zone] for zone in group))
        may_move.update(dict.fromkeys(group, everybody))
    in_order = (*sorted(counted), *(zone for group in groups for zone in group))
    return HiddenZones(in_order, tuple(groups), may_move, _hidden_tokens(compiled, block, player))


def _hidden_tokens(compiled: CompiledGame, block: int, player: int) -> tuple[tuple[int, ...], ...]:
    hidden: dict[tuple[str, int, int], list[int]] = {}
    for tokens in compiled.program.tokens:
        if may_hold_others(compiled, block, tokens):
            apart = compiled.viewer.is_apart_in(block, tokens)
            for cell, owner, colour in token_cells(tokens):
                if not compiled.viewer.may_see(tokens, owner, player):
                    key = tokens.token, colour, owner if apart else -1
                    hidden.setdefault(key, []).append(cell)
    return tuple(map(tuple, hidden.values()))


def token_cells(tokens: TokenPlace) -> Iterator[tuple[int, int, int]]:
    """Yield the cells of a place for tokens. Each cell is followed by its owner and the player
    whose tokens it counts (-1: nobody's)."""
    members = tokens.colours
    for size in tokens.sizes:
        members *= size
    for position, owner in enumerate(tokens.owners):
        first = tokens.base + position * tokens.stride
        for number in range(members):
            colour = number % tokens.colours if tokens.colours > 1 else -1
            yield first + number, owner, owner if tokens.own_colour else colour


def _reachable_zones(zones: Mapping[int, tuple[bool, int]], zone: int) -> tuple[int, ...]:
    """Return the zones to which the contents of a zone may move, directly or through other zones."""
    met = [zone]
    for one in met:
        met += [to for to in zones if to not in met and _may_change(zones[one], zones[to])]
    return tuple(sorted(met))


def _may_change(one: tuple[bool, int], other: tuple[bool, int]) -> bool:
    """Return whether a thing in one zone could be in the other zone without changing a number that the player sees.

    Each zone is given as a pair: whether its number is always hidden, and the player who may now be
    moving things in it (-1: nobody).
    """
    return (one[0] and other[0]) or (one[1] >= 0 and one[1] == other[1])


def may_hold_others(compiled: CompiledGame, block: int, cell_group: PlaceInfo | TokenPlace) -> bool:
    """Return whether to try other numbers of things for the hidden places of a group.

    Returns False for slots, and for places that show something about their contents.
    """
    if cell_group.cell_of >= 0 or (isinstance(cell_group, PlaceInfo) and cell_group.shape == "row"):
        return False
    if compiled.viewer.is_apart_in(block, cell_group):
        return not compiled.viewer.is_counted_in(block, cell_group)
    return not cell_group.except_for
