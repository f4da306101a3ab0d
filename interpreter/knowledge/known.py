"""Decides whether a player may know a value, given the cells that the computation of the value reads.

If the computation reads hidden pieces, the value is also computed for other states that look the
same to the player. If the value is the same in all of these states, the player knows it. See
`rulewright.interpreter.views.view`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import SupportsIndex, TypeVar, overload
from weakref import WeakKeyDictionary

from attrs import frozen

from rulewright.dsl.ir import Kept, PlaceInfo, TokenPlace
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.hidden_counts import move_numbers
from rulewright.interpreter.knowledge.hidden_pieces import (
    draw_exchange_in,
    exchange_pieces,
    interchangeable,
    tied_pieces,
)
from rulewright.interpreter.knowledge.hidden_zones import may_hold_others, token_cells
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.text.names import Value
from rulewright.interpreter.views.compiled_game import CompiledGame

_Group = TypeVar("_Group", Kept, PlaceInfo, TokenPlace)

WORLDS = 60
"""The number of other states to examine."""


def _watch_reads(cells: array[int]) -> tuple[array[int], set[int]]:
    """Return a copy of the cells that records every read, and the set to which it adds each cell that is read."""
    seen: set[int] = set()

    class Watched(array):  # type: ignore[type-arg]  # `array[int]` cannot be subclassed
        @overload
        def __getitem__(self, key: SupportsIndex) -> int: ...
        @overload
        def __getitem__(self, key: slice) -> array[int]: ...
        def __getitem__(self, key: SupportsIndex | slice) -> int | array[int]:
            if not isinstance(key, slice):
                seen.add(int(key))
            return super().__getitem__(key)

    return Watched("i", cells), seen


def hidden_in(
    compiled: CompiledGame,
    reference: Reference,
    cells: array[int],
    plain: int,
    player: int,
    of_pieces: bool = False,
    arguments: Sequence[Value] = (),
) -> str:
    """If a value depends on a fact that is hidden from a player, return the name of the fact, otherwise "".

    With `of_pieces`, the values are pieces, and equal copies count as the same piece.
    """
    read, seen = _watch_reads(cells)
    value = reference.value(read, plain, arguments)
    values = {cell: name for cell, name in _hidden_values(compiled, cells, player) if cell in seen}
    if values:
        return values[min(values)]
    pieces = dict(_hidden_pieces(compiled, cells, player))
    looked_at = [pieces[cell] for cell in sorted(seen) if cell in pieces]
    if not looked_at:
        return ""
    shown = _by_name(compiled, value) if of_pieces else value
    for guess in _guesses(compiled, cells, player):
        try:
            other = reference.value(guess, plain, arguments)
        except RuleFault:
            return looked_at[0]
        if (_by_name(compiled, other) if of_pieces else other) != shown:
            return looked_at[0]
    return ""


@frozen
class _Guessed:
    """The examined states for one position and one player."""

    position: bytes
    player: int
    worlds: tuple[array[int], ...]


_LATEST: WeakKeyDictionary[CompiledGame, _Guessed] = WeakKeyDictionary()
"""The position of the last question for each game, because several `why` questions often follow each other."""


def _guesses(compiled: CompiledGame, cells: array[int], player: int) -> Iterator[array[int]]:
    """Yield other states that look the same to a player. Each call yields the same states.

    Hidden values do not change, and do not tie pieces to their places, because values that read
    them are hidden anyway.
    """
    position = cells.tobytes()
    latest = _LATEST.get(compiled)
    if latest is not None and (latest.position, latest.player) == (position, player):
        yield from latest.worlds
        return
    worlds: list[array[int]] = []
    fixed = set(tied_pieces(compiled, cells, seen_by=player))
    groups = interchangeable(compiled, cells, player, fixed, with_numbers=True)
    generator = Generator(0)
    for _ in range(WORLDS):
        guess = exchange_pieces(compiled, cells, draw_exchange_in(groups, generator), player)
        move_numbers(compiled, cells, guess, player, generator, fixed)
        worlds.append(guess)
        yield guess
    _LATEST[compiled] = _Guessed(position, player, tuple(worlds))


def hidden_cells(compiled: CompiledGame, cells: array[int], player: int) -> dict[int, str]:
    """Map each cell that a player may not see to the name of the thing in it."""
    return {
        **dict(_hidden_values(compiled, cells, player)),
        **dict(_hidden_pieces(compiled, cells, player)),
    }


def _by_name(compiled: CompiledGame, value: Value) -> object:
    if isinstance(value, int):
        return compiled.viewer.piece_name(value) if value >= 0 else value
    return tuple(_by_name(compiled, item) for item in value)


def _hidden_values(
    compiled: CompiledGame, cells: array[int], player: int
) -> Iterator[tuple[int, str]]:
    """Yield the cells of hidden values, each with the name of the value. The values are the same in
    all sampled states."""
    viewer, links = compiled.viewer, compiled.program.links
    for kept in _secret(compiled.program.kept):
        width = kept.list_capacity + 1 if kept.list_capacity else 1
        for position, owner in enumerate(kept.owners):
            if not viewer.may_see(kept, owner, player):
                first = kept.base + position * kept.stride
                for cell in range(first, first + width * _product(kept.sizes)):
                    yield cell, kept.name
    for tokens in _secret(compiled.program.tokens):
        counted = viewer.is_counted(cells, tokens) and tokens.colours == 1
        tried = counted or may_hold_others(compiled, viewer.block_of(cells), tokens)
        for cell, owner, _ in () if tried else token_cells(tokens):
            if not viewer.may_see(tokens, owner, player):
                yield cell, tokens.name
    for place in _secret(compiled.program.places):
        if not viewer.is_counted(cells, place) and not may_hold_others(
            compiled, viewer.block_of(cells), place
        ):
            for zone, owner in viewer.zones_of(place):
                if not viewer.may_see(place, owner, player):
                    yield links.count + zone, place.name


def _hidden_pieces(
    compiled: CompiledGame, cells: array[int], player: int
) -> Iterator[tuple[int, str]]:
    """Yield the cells that a player may not see and that samples change, each with the name of its place.

    The cells contain pieces, or numbers of pieces and tokens.
    """
    program, viewer = compiled.program, compiled.viewer
    for tokens in _secret(program.tokens):
        tried = may_hold_others(compiled, viewer.block_of(cells), tokens)
        for cell, owner, _ in token_cells(tokens) if tried else ():
            if not viewer.may_see(tokens, owner, player):
                yield cell, tokens.name
    for place in _secret(program.places):
        for zone, owner in viewer.zones_of(place):
            if not viewer.may_see(place, owner, player):
                yield from _hidden_zone(compiled, cells, player, place, zone)


def _hidden_zone(
    compiled: CompiledGame, cells: array[int], player: int, place: PlaceInfo, zone: int
) -> Iterator[tuple[int, str]]:
    links, viewer = compiled.program.links, compiled.viewer
    counted = viewer.is_counted(cells, place)
    lying = tuple(viewer.lying(cells, zone))
    unknown = tuple(piece for piece in lying if not viewer.knows_piece(cells, piece, player))
    if may_hold_others(compiled, viewer.block_of(cells), place):
        yield links.count + zone, place.name
    if unknown or not counted:
        yield links.head + zone, place.name
        yield links.tail + zone, place.name
        for first, slots in ((first, slots) for z, first, slots in links.row_cells if z == zone):
            for cell in range(first, first + slots):
                yield cell, place.name
    for piece in unknown:
        yield links.zone_of + piece, place.name
        if links.slot_of >= 0:
            yield links.slot_of + piece, place.name
    for piece in lying if unknown else ():
        yield links.next + piece, place.name
        yield links.previous + piece, place.name


def _secret(cell_groups: Iterable[_Group]) -> Iterator[_Group]:
    """Yield the groups of values, tokens or places that some player may not see."""
    return (group for group in cell_groups if group.seen != "all")


def _product(sizes: tuple[int, ...]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total
