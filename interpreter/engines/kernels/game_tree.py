"""Stores a whole game as a tree in arrays. Kernels and native code read the arrays.

Nodes are positions, numbered so that parents come before their children. A slot is an option of an
information set. The slots of the same set are adjacent.
"""

from __future__ import annotations

from array import array

import attrs

from rulewright.interpreter.engines.kernels.tree import Cells, Reals

CHANCE = -1
END = -2


def _cells() -> Cells:
    return array("i")


def _reals() -> Reals:
    return array("d")


@attrs.define(eq=False)
class GameTree:
    """The tree of a game, and the sums that solvers store for it."""

    seats: int
    nodes: int = 0
    sets: int = 0
    slots: int = 0
    levels: int = 0
    """The maximum number of decisions of one seat."""
    width: int = 1
    """The maximum number of options of a decision."""
    rounds: int = 0
    """The number of rounds so far."""
    seed: int = 1
    """The state of the random number generator, 48 bits long."""
    player: Cells = attrs.field(factory=_cells)
    """For each node, the seat that decides. Negative numbers mean chance or an end."""
    parent: Cells = attrs.field(factory=_cells)
    edge: Cells = attrs.field(factory=_cells)
    """For each node, the slot that leads to it, or -1 after chance."""
    first: Cells = attrs.field(factory=_cells)
    """For each node, the index of its first child in `children`, where siblings are adjacent."""
    count: Cells = attrs.field(factory=_cells)
    children: Cells = attrs.field(factory=_cells)
    info: Cells = attrs.field(factory=_cells)
    """For each node, its information set. For chance and ends, this is -1."""
    owner: Cells = attrs.field(factory=_cells)
    """For each information set, the seat that decides at it."""
    begin: Cells = attrs.field(factory=_cells)
    """For each information set, its first slot."""
    size: Cells = attrs.field(factory=_cells)
    """For each information set, the number of its slots."""
    level: Cells = attrs.field(factory=_cells)
    """For each information set, the number of earlier decisions of its seat."""
    chosen: Cells = attrs.field(factory=_cells)
    """For each information set, the slot of the best response, or -1 until the response is known."""
    chance: Reals = attrs.field(factory=_reals)
    """For each node, the probability of the result of chance that leads to it. After decisions, this is 1."""
    worth: Reals = attrs.field(factory=_reals)
    """For each node and seat, the value of the node to the seat if the game has ended there, else 0."""
    regrets: Reals = attrs.field(factory=_reals)
    often: Reals = attrs.field(factory=_reals)
    """For each slot, the weighted sum of the strategies so far."""
    strategy: Reals = attrs.field(factory=_reals)
    """For each slot, the current probability of taking it."""
    mine: Reals = attrs.field(factory=_reals)
    """For each node, the probability that the choices of one seat lead to it."""
    others: Reals = attrs.field(factory=_reals)
    """For each node, the probability that chance and the choices of the other seats lead to it."""
    value: Reals = attrs.field(factory=_reals)
    gains: Reals = attrs.field(factory=_reals)
    """For each slot, the value of its option as a response."""
    worths: Reals = attrs.field(factory=_reals)
    """For each slot, the mean value of its option in sampled walks."""
    met: Cells = attrs.field(factory=_cells)
    """For each information set, the number of sampled walks in which its seat decided at it."""
    tried: Reals = attrs.field(factory=_reals)
    """The values of options on the path of a sampled walk."""
