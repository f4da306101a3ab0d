"""Stores the positions of an open game for two players, in arrays that kernels and native code read.

A position is identified by a 64-bit hash of its cells (`machine.cells_key`). Values are given for
the first seat. Kernels search a game depth first. The path from the start of the search is a list
of levels. Each level has a stored state, the options of its decision in `listed`, and the next
option.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import Final, Protocol

import attrs

from rulewright.interpreter.engines.kernels.tree import (
    Cells,
    Flags,
    FullError,
    Ints,
    Tree,
    Words,
)

INFINITE = 1099511627776
"""A number greater than any value."""
_INTS: Final = partial(array, "q")


class OpenGame(Protocol):
    """The part of `Game` that solvers of open games need."""

    def load(self, t: Tree, state: int) -> int:
        """Implement `Game.load`."""
        ...

    def save(self, t: Tree, state: int) -> int:
        """Implement `Game.save`."""
        ...

    def advance(self, t: Tree, option: int) -> int:
        """Implement `Game.advance`."""
        ...

    def options(self, t: Tree, room: int) -> int:
        """Implement `Game.options`."""
        ...

    def ending(self, t: Tree, nothing: int) -> int:
        """Implement `Game.ending`."""
        ...


@attrs.define(eq=False)
class Positions(Tree):
    """Positions, and the path to the current position."""

    depth: int = 0
    """The number of levels of the path."""
    deepest: int = 0
    """The maximum number of levels."""
    list_room: int = 0
    searched: int = 0
    """The number of examined decisions."""
    got: int = 0
    """The value of the last examined position."""
    level_first: Ints = attrs.field(factory=_INTS)
    level_count: Ints = attrs.field(factory=_INTS)
    level_next: Ints = attrs.field(factory=_INTS)
    level_key: Words = attrs.field(factory=lambda: array("Q"))
    level_node: Ints = attrs.field(factory=_INTS)
    """The number of the position at a level."""
    level_player: Ints = attrs.field(factory=_INTS)
    level_site: Ints = attrs.field(factory=_INTS)
    level_low: Ints = attrs.field(factory=_INTS)
    level_high: Ints = attrs.field(factory=_INTS)
    level_found: Ints = attrs.field(factory=_INTS)
    level_best: Ints = attrs.field(factory=_INTS)
    level_begun: Ints = attrs.field(factory=_INTS)
    """The value of `searched` when the level was begun."""
    level_least: Ints = attrs.field(factory=_INTS)
    level_largest: Ints = attrs.field(factory=_INTS)
    """Earlier bounds of the value, from the table."""
    liked: Ints = attrs.field(factory=_INTS)
    """For each player and kind of option, how often an option of the kind was the best."""
    known_key: Words = attrs.field(factory=lambda: array("Q"))
    """The table of positions with known values or bounds, with two positions per row."""
    known_least: Ints = attrs.field(factory=_INTS)
    known_largest: Ints = attrs.field(factory=_INTS)
    known_best: Ints = attrs.field(factory=_INTS)
    known_effort: Ints = attrs.field(factory=_INTS)
    """The number of decisions that were examined to find the value."""
    node_player: Flags = attrs.field(factory=lambda: array("b"))
    """For each position, the seat that decides, or -1 at an end."""
    node_worth: Ints = attrs.field(factory=_INTS)
    node_length: Cells = attrs.field(factory=lambda: array("i"))
    """The number of decisions to the end in best play, or -1 if it is unknown or play does not end."""
    node_settled: Flags = attrs.field(factory=lambda: array("b"))
    """Whether the value of a position is known."""
    edge_from: Cells = attrs.field(factory=lambda: array("i"))
    edge_to: Cells = attrs.field(factory=lambda: array("i"))
    into: Cells = attrs.field(factory=lambda: array("i"))
    """The predecessors of each position, adjacent to each other."""
    into_first: Ints = attrs.field(factory=_INTS)
    distance: Cells = attrs.field(factory=lambda: array("i"))
    options_left: Cells = attrs.field(factory=lambda: array("i"))
    waiting: Cells = attrs.field(factory=lambda: array("i"))


def worth_of_end(game: OpenGame, t: Positions) -> int:
    """Return the value of an end to the first seat: 1, 0 or -1, or the difference of the points."""
    game.ending(t, 0)
    if t.by_points != 0:
        return t.totals[0] - t.totals[1]
    return t.won[0] - t.won[1]


def list_options(game: OpenGame, t: Positions) -> int:
    """Append the options of the working state to `listed`, after the options of earlier levels. Return their number."""
    begin = 0
    if t.depth > 0:
        begin = t.level_first[t.depth - 1] + t.level_count[t.depth - 1]
    if t.depth >= t.deepest or begin + t.width > t.list_room:
        raise FullError
    count = game.options(t, t.width)
    if count > t.width:
        t.width = count
        raise FullError
    for place in range(count):
        t.listed[begin + place] = t.offers[place]
    t.level_first[t.depth] = begin
    t.level_count[t.depth] = count
    t.level_next[t.depth] = 0
    return count
