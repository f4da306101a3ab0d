"""Counts and walks for any oracle; independent of the rules of any game.

An oracle is a module with three functions. `start()` returns a position, a plain value. `options` returns the names
of its options, none when the game is over. `after` returns the position after one of them. Games with chance also
have
`at_chance`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

P = TypeVar("P")


class Oracle(Protocol[P]):
    """The rules of a game."""

    def start(self) -> P: ...
    def options(self, position: P, /) -> Sequence[str]: ...
    def after(self, position: P, option: str, /) -> P: ...


class ChanceOracle(Oracle[P], Protocol[P]):
    """The rules of a game with chance; all results of one chance are equally likely."""

    def at_chance(self, position: P, /) -> bool: ...
    def gain(self, position: P, /) -> int: ...


def perft(oracle: Oracle[P], depth: int) -> list[int]:
    """The number of sequences of 1 to `depth` choices."""
    counts = [0] * depth

    def visit(position: P, ply: int) -> None:
        options = oracle.options(position)
        counts[ply] += len(options)
        if ply + 1 < depth:
            for option in options:
                visit(oracle.after(position, option), ply + 1)

    visit(oracle.start(), 0)
    return counts


def histories(oracle: ChanceOracle[P]) -> tuple[int, int, int]:
    """The number of histories that end at chance, at a decision, and at the end of the game."""
    chance = decisions = ends = 0
    waiting = [oracle.start()]
    while waiting:
        position = waiting.pop()
        options = oracle.options(position)
        if not options:
            ends += 1
        elif oracle.at_chance(position):
            chance += 1
        else:
            decisions += 1
        waiting.extend(oracle.after(position, option) for option in options)
    return chance, decisions, ends


def uniform_value(oracle: ChanceOracle[P], position: P) -> Fraction:
    """The average gain of the first player if all options are equally likely."""
    options = oracle.options(position)
    if not options:
        return Fraction(oracle.gain(position))
    values = (uniform_value(oracle, oracle.after(position, option)) for option in options)
    return sum(values, Fraction(0)) / len(options)
