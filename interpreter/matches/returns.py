"""Computes the value of a match's result for each seat: its share of the victory, and rewards for learners.

Bots, environments of other libraries and statistics all use this module. It handles only states at
the end of a match.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal, TypeAlias

from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"
Reward = Literal["wins", "points"]
"""The measure of a result: the victory, or the difference in points."""


def sides_of(compiled: CompiledGame) -> tuple[str, ...]:
    """Return the name of each seat's side. If nobody plays together, each seat is a side of its own."""
    program = compiled.program
    return program.sides or tuple(map(str, range(program.seats)))


def shares(compiled: CompiledGame, cells: Cells) -> list[float]:
    """Return each seat's share of the victory at the end.

    Sides that win together get equal shares, and each partner gets the full share of the side. If
    nobody has won, all sides get equal shares; but in cooperative and solo games, the shares are
    then 0.
    """
    return shares_of(sides_of(compiled), compiled.winners(cells))


def shares_of(sides: Sequence[str], winners: Sequence[int]) -> list[float]:
    """Return each seat's share of the victory, given the sides of the seats and the winning seats."""
    if not winners and len({*sides}) == 1:
        return [0.0] * len(sides)
    won = {sides[seat] for seat in winners}
    if not winners:
        return [1 / len({*sides})] * len(sides)
    return [1 / len(won) if seat in winners else 0.0 for seat in range(len(sides))]


def returns(compiled: CompiledGame, cells: Cells, reward: Reward = "wins") -> list[float]:
    """Return the reward of each seat. The sum is 0 unless all play together.

    With `wins`, a single winner gets 1, and the others together lose 1 in equal parts. After a
    draw, everyone gets 0. With `points`, each seat gets the difference between its points and the
    mean. In cooperative and solo games, nobody loses if others win: a win is 1, a loss is 0, and
    points are unchanged.
    """
    sides = sides_of(compiled)
    if reward == "points":
        return of_points(sides, compiled.totals(cells))
    return of_winners(sides, compiled.winners(cells))


def of_points(sides: Sequence[str], totals: Sequence[int]) -> list[float]:
    """Return the rewards by points, given the points of each seat (see `returns`)."""
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
    """Return the rewards by wins, given the winning seats (see `returns`)."""
    seats = len(sides)
    parts = shares_of(sides, winners)
    fewest = min(map(sides.count, sides))
    if fewest == seats:
        return parts
    # The shares are scaled so that the smallest side gets 1 if it wins alone.
    mean = sum(parts) / seats
    return [(part - mean) * seats / (seats - fewest) for part in parts]
