"""Boards of other shapes, rays that end, and leaps: published counts, and laws of the boards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from rulewright.interpreter.testing.perft import perft
from tests.games.variants import game_named

AMAZONS = (80, 2_176, 168_420, 4_307_152)
"""A move is two decisions: 2,176 first moves on the board of 10 by 10, and 4,307,152 sequences of two, as published."""


def test_amazons_has_its_first_moves() -> None:
    start = game_named("p13_amazons").start(options={"size": "10"})
    assert tuple(perft(start, 2)) == AMAZONS[:2]


@pytest.mark.deep
def test_amazons_has_its_answers() -> None:
    start = game_named("p13_amazons").start(options={"size": "10"})
    assert tuple(perft(start, 4)) == AMAZONS


@pytest.mark.deep
def test_hex_is_never_drawn() -> None:
    """Every order of the nine cells ends with a winner, at the moment that an independent walk over the board
    finds."""
    lengths = [0] * 9
    for order in permutations(range(9)):
        lengths[_length(order) - 1] += 1
    start = game_named("p14_hex").start(options={"size": "3"})
    counted = list(perft(start, 9))
    unfinished = 1
    for length, count in enumerate(counted, 1):
        assert count == unfinished * (10 - length)
        # each match of this length represents all orders of the remaining cells
        rest = _factorial(9 - length)
        assert lengths[length - 1] % rest == 0
        unfinished = count - lengths[length - 1] // rest
    assert unfinished == 0


def _factorial(n: int) -> int:
    return 1 if n < 2 else n * _factorial(n - 1)


def _length(order: tuple[int, ...]) -> int:
    """The number of stones after which a player has joined two sides."""
    for count in range(1, 10):
        side = (count - 1) % 2
        if _is_joined(set(order[side:count:2]), side):
            return count
    raise AssertionError("a board without a winner")


def _is_joined(stones: set[int], side: int) -> bool:
    def along(cell: int) -> int:
        return cell // 3 if side == 0 else cell % 3

    reached = {cell for cell in stones if along(cell) == 0}
    edge = list(reached)
    while edge:
        for cell in _beside(edge.pop()):
            if cell in stones and cell not in reached:
                reached.add(cell)
                edge.append(cell)
    return any(along(cell) == 2 for cell in reached)


def _beside(cell: int) -> Iterator[int]:
    row, column = divmod(cell, 3)
    for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
        if 0 <= row + dr < 3 and 0 <= column + dc < 3:
            yield 3 * (row + dr) + column + dc
