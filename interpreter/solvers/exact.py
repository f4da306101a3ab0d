"""Exact values of small open games between two: by alpha-beta for one position, by retrograde analysis for all.

An open game hides nothing and leaves nothing to chance. Values are those of the first seat; those of the
second are the opposite. Positions are identified by all their cells, so transpositions are searched once.
"""

from __future__ import annotations

from array import array
from collections import defaultdict, deque
from math import inf
from typing import TypeAlias

import attrs

from rulewright.dsl.ir import OVER, PLAYER
from rulewright.interpreter.matches.returns import Reward, returns, sides_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.solvers.whole_tree import MOST, TooLargeError
from rulewright.interpreter.text.errors import WrongArgumentError
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"

_DEEP = 400
"""How many decisions alpha-beta looks ahead at most."""


def _refuse(compiled: CompiledGame) -> None:
    program = compiled.program
    if len({*sides_of(compiled)}) != 2 or program.seats != 2:
        raise WrongArgumentError("only games between two players have exact values")
    if program.chances or not compiled.viewer.is_open:
        what = "leaves something to chance" if program.chances else "hides something"
        raise WrongArgumentError(f"only open games have exact values, and {program.title} {what}")


def value_of(state: State, reward: Reward = "wins", most: int = MOST) -> float:
    """The value of a position to the first seat, by alpha-beta; `most` is the greatest number of stored positions."""
    _refuse(state.compiled)
    return _Search(state.compiled, reward, most).value(state.cells, -inf, inf, 0)


@attrs.define(eq=False)
class _Search:
    compiled: CompiledGame
    reward: Reward
    most: int
    bounds: dict[bytes, tuple[float, float]] = attrs.field(factory=dict)
    """For each position what its value is at least, and at most."""
    best: dict[bytes, int] = attrs.field(factory=dict)
    """The option that was best, or refuted the others."""

    def value(self, cells: Cells, low: float, high: float, depth: int) -> float:
        """The exact value if it lies between the bounds; otherwise a bound on the value."""
        if cells[OVER]:
            return returns(self.compiled, cells, self.reward)[0]
        key = cells.tobytes()
        least, largest = self.bounds.get(key, (-inf, inf))
        if least >= high or least == largest:
            return least
        if largest <= low:
            return largest
        if depth == _DEEP or len(self.bounds) > self.most:
            raise TooLargeError(
                f"no value was found within {self.most} positions and {_DEEP} decisions"
            )
        is_first = cells[PLAYER] == 0
        found = -inf if is_first else inf
        lower, upper = max(low, least), min(high, largest)
        for option in self._ordered(cells, key):
            after = cells[:]
            self.compiled.advance(after, option)
            value = self.value(after, lower, upper, depth + 1)
            if (value > found) if is_first else (value < found):
                found = value
                self.best[key] = option
            if is_first:
                lower = max(lower, found)
            else:
                upper = min(upper, found)
            if lower >= upper:
                break
        # A result above the lower bound is a lower bound of the value; one below the upper bound is an upper bound.
        least = max(least, found) if found > low else least
        largest = min(largest, found) if found < high else largest
        self.bounds[key] = least, largest
        return found

    def _ordered(self, cells: Cells, key: bytes) -> list[int]:
        options = self.compiled.options(cells)
        best = self.best.get(key)
        return options if best is None else sorted(options, key=lambda option: option != best)


@attrs.frozen
class Outcome:
    """The value of a position to the first seat, and the number of decisions to the end in best play.

    `decisions` is -1 if best play does not end.
    """

    value: float
    decisions: int


@attrs.frozen(eq=False)
class Solution:
    """The values of all positions that a game can reach."""

    compiled: CompiledGame
    outcomes: dict[bytes, Outcome]

    def __len__(self) -> int:
        return len(self.outcomes)

    def outcome(self, state: State) -> Outcome:
        """The value of a position; raises `KeyError` if the game does not reach it."""
        return self.outcomes[state.cells.tobytes()]

    def best(self, state: State) -> list[int]:
        """The options that keep the value of a position and win soonest or lose latest."""
        sign = 1 if state.player == 0 else -1

        def rank(option: int) -> tuple[float, int]:
            outcome = self.outcome(state.take(option))
            worth = sign * outcome.value
            return worth, -outcome.decisions if worth > 0 else outcome.decisions

        ranks = {option: rank(option) for option in state.option_ids}
        best = max(ranks.values())
        return [option for option, found in ranks.items() if found == best]


def solution(compiled: CompiledGame, reward: Reward = "wins", most: int = MOST) -> Solution:
    """The values of all positions, from the ends back to the beginning; endless play is worth 0 to both.

    Raises `TooLargeError` if there are more than `most` positions.
    """
    _refuse(compiled)
    graph = _Graph.of(compiled, reward, most)
    found: dict[int, Outcome] = {}
    values = sorted({*graph.ends.values()})
    for value in [value for value in reversed(values) if value > 0]:
        ends = [node for node, end in graph.ends.items() if end >= value]
        _add(found, value, graph.forced(0, ends))
    for value in [value for value in values if value < 0]:
        ends = [node for node, end in graph.ends.items() if end <= value]
        _add(found, value, graph.forced(1, ends))
    level = [node for node, end in graph.ends.items() if end == 0]
    _add(found, 0.0, graph.within(level, {*range(len(graph.players))} - {*found}))
    outcomes = {key: found.get(node, Outcome(0.0, -1)) for key, node in graph.numbers.items()}
    return Solution(compiled, outcomes)


def _add(found: dict[int, Outcome], value: float, distances: dict[int, int]) -> None:
    for node, distance in distances.items():
        found.setdefault(node, Outcome(value, distance))


@attrs.define(eq=False)
class _Graph:
    """All positions of a game and their steps."""

    numbers: dict[bytes, int] = attrs.field(factory=dict)
    players: list[int] = attrs.field(factory=list)
    degrees: list[int] = attrs.field(factory=list)
    before: defaultdict[int, list[int]] = attrs.field(factory=lambda: defaultdict(list))
    ends: dict[int, float] = attrs.field(factory=dict)

    @classmethod
    def of(cls, compiled: CompiledGame, reward: Reward, most: int) -> _Graph:
        """The graph of all positions that the beginning leads to."""
        graph, start = cls(), compiled.begin()[:]
        graph.numbers[start.tobytes()] = 0
        waiting = deque([start])
        for node in range(most + 1):
            if not waiting:
                return graph
            if node == most:
                break
            cells = waiting.popleft()
            graph.players.append(cells[PLAYER])
            options = [] if cells[OVER] else compiled.options(cells)
            graph.degrees.append(len(options))
            if cells[OVER]:
                graph.ends[node] = returns(compiled, cells, reward)[0]
            for option in options:
                after = cells[:]
                compiled.advance(after, option)
                number = graph.numbers.setdefault(after.tobytes(), len(graph.numbers))
                if number == len(graph.players) + len(waiting):
                    waiting.append(after)
                graph.before[number].append(node)
        raise TooLargeError(f"the game has more than {most} positions")

    def forced(self, seat: int, ends: list[int]) -> dict[int, int]:
        """The positions from which a seat can force one of these ends, with the number of decisions."""
        distances = dict.fromkeys(ends, 0)
        left: dict[int, int] = {}
        waiting = deque(ends)
        while waiting:
            after = waiting.popleft()
            for node in self.before[after]:
                if node in distances:
                    continue
                left[node] = left.get(node, self.degrees[node]) - 1
                if self.players[node] == seat or not left[node]:
                    distances[node] = distances[after] + 1
                    waiting.append(node)
        return distances

    def within(self, ends: list[int], nodes: set[int]) -> dict[int, int]:
        """The number of decisions from some positions to one of these ends, through these positions only."""
        distances = dict.fromkeys(ends, 0)
        waiting = deque(ends)
        while waiting:
            after = waiting.popleft()
            for node in self.before[after]:
                if node in nodes and node not in distances:
                    distances[node] = distances[after] + 1
                    waiting.append(node)
        return distances
