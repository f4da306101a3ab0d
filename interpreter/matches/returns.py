"""Computes the worth of a match's end to each seat: its share of the victory, and returns for learners.

Bots, environments of other libraries and statistics all use this module. Independent of positions
before the end.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal, TypeAlias

from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"
Reward = Literal["wins", "points"]
"""The measure of an end: the victory, or the lead in points."""


def sides_of(compiled: CompiledGame) -> tuple[str, ...]:
    """Return the name of each seat's side. If nobody plays together, each seat is its own side."""
    program = compiled.program
    return program.sides or tuple(map(str, range(program.seats)))


def shares(compiled: CompiledGame, cells: Cells) -> list[float]:
    """Return the share of the victory of each seat at the end.

    Sides that win share the victory equally, and each partner has the whole share of the side. If
    nobody has won, all sides share; in cooperative and solo games nothing is won then.
    """
    return shares_of(sides_of(compiled), compiled.winners(cells))


def shares_of(sides: Sequence[str], winners: Sequence[int]) -> list[float]:
    """Return the share of the victory of each seat, given the sides of the seats and the winning seats."""
    if not winners and len({*sides}) == 1:
        return [0.0] * len(sides)
    won = {sides[seat] for seat in winners}
    if not winners:
        return [1 / len({*sides})] * len(sides)
    return [1 / len(won) if seat in winners else 0.0 for seat in range(len(sides))]


def returns(compiled: CompiledGame, cells: Cells, reward: Reward = "wins") -> list[float]:
    """Return the worth of an end to each seat. The sum is 0 unless all play together.

    By `wins`, a sole winner has 1, which the others lose in equal parts; a draw is 0 for all. By
    `points`, each seat has the difference of its points from the mean. In cooperative and solo
    games nobody loses what others win: a win is 1 and a loss 0, and points are unchanged.
    """
    sides = sides_of(compiled)
    if reward == "points":
        return of_points(sides, compiled.totals(cells))
    return of_winners(sides, compiled.winners(cells))


def of_points(sides: Sequence[str], totals: Sequence[int]) -> list[float]:
    """Return the worth of an end by points, given the points of each seat (see `returns`)."""
    mean = sum(totals) / len(sides) if len({*sides}) > 1 else 0
    return [total - mean for total in totals]


def leads_of(sides: Sequence[str], totals: Sequence[int]) -> list[int]:
    """Return the lead of each seat's side over the best other side, given the points of each seat."""
    by_side = dict.fromkeys(sides, 0)
    for side, total in zip(sides, totals, strict=True):
        by_side[side] += total
    best = {
        side: max((total for other, total in by_side.items() if other != side), default=0)
        for side in by_side
    }
    return [by_side[side] - best[side] for side in sides]


def of_winners(sides: Sequence[str], winners: Sequence[int]) -> list[float]:
    """Return the worth of an end by wins, given the winning seats (see `returns`)."""
    seats = len(sides)
    parts = shares_of(sides, winners)
    fewest = min(map(sides.count, sides))
    if fewest == seats:
        return parts
    # The parts are scaled so that the smallest side gets 1 if it wins alone.
    mean = sum(parts) / seats
    return [(part - mean) * seats / (seats - fewest) for part in parts]
