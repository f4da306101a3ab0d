"""Computes exact values of small open games for two players. Alpha-beta search values one position,
retrograde analysis all positions.

An open game has no hidden information and no chance. Values are given for the first seat; the
values for the second seat are the opposite. Native code does the work if llvmlite is installed. A
position is identified by a 64-bit hash of its cells, so transpositions are searched only once.
"""

from __future__ import annotations

from typing import Final

import attrs

from rulewright.interpreter.engines.kernels.alpha_beta import KINDS
from rulewright.interpreter.engines.kernels.machine import cells_key
from rulewright.interpreter.engines.kernels.positions import INFINITE, Positions
from rulewright.interpreter.engines.kernels.retrograde import place_of
from rulewright.interpreter.matches.returns import Reward, returns
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.solvers.positions import Work, refuse
from rulewright.interpreter.solvers.whole_tree import MOST, TooLargeError
from rulewright.interpreter.views.compiled_game import CompiledGame

_DEEP: Final = 1024
"""The maximum depth of alpha-beta, in decisions."""
_ROOM: Final = 4096
_MOST_KNOWN: Final = 2**22
"""The maximum number of positions in the table of alpha-beta. Later positions replace those with less effort."""


def value_of(state: State, reward: Reward = "wins", most: int = 10 * MOST) -> float:
    """Compute the value of a position for the first seat, by alpha-beta with at most `most` decisions."""
    refuse(state.compiled)
    if state.over:
        return returns(state.compiled, state.cells, reward)[0]
    work = Work.begin(state.compiled, state.cells, reward)
    _make_table(work.positions)
    least, largest = (-1, 1) if reward == "wins" else (-INFINITE, INFINITE)
    bound = 0
    while least < largest:
        found = _is_above(work, bound, most)
        if found > bound:
            least = bound = found
        else:
            largest, bound = found, found - 1
    return float(least) if reward == "wins" else least / 2


def _is_above(work: Work, bound: int, most: int) -> int:
    """Find out by search whether the value is above `bound`. If so, return a lower bound of the
    value, otherwise an upper bound."""
    t = work.positions
    work.do("open_search", bound)
    while t.depth:
        work.do("search_on", work.at_once)
        if t.depth > _DEEP or t.searched > most:
            raise TooLargeError(
                f"no value was found within {most} decisions, and at most {_DEEP} in a row"
            )
        if 2 * t.nodes > len(t.known_key) < _MOST_KNOWN:
            _double(t)
    return t.got


_KNOWN: Final = ("key", "least", "largest", "best", "effort")


def _make_table(t: Positions) -> None:
    for name in _KNOWN:
        getattr(t, f"known_{name}").frombytes(bytes(8 * _ROOM))
    t.liked.frombytes(bytes(8 * KINDS * t.seats))
    t.mask = _ROOM - 1


def _double(t: Positions) -> None:
    """Double the size of the table. Both halves get all entries, and each position is looked up in only one half."""
    for name in _KNOWN:
        setattr(t, f"known_{name}", getattr(t, f"known_{name}") * 2)
    t.mask = len(t.known_key) - 1


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
    _positions: Positions
    _divisor: int

    def __len__(self) -> int:
        return self._positions.nodes

    def outcome(self, state: State) -> Outcome:
        """Return the value of a position. Raises `KeyError` if the game does not reach the position."""
        t = attrs.evolve(self._positions, work=state.cells)
        node = t.table[place_of(t, cells_key(t))] - 1
        if node < 0:
            raise KeyError(state)
        return Outcome(t.node_worth[node] / self._divisor, t.node_length[node])

    def best(self, state: State) -> list[int]:
        """Return the options that keep the value of a position, and win as soon or lose as late as possible."""
        sign = 1 if state.player == 0 else -1

        def rank(option: int) -> tuple[float, int]:
            outcome = self.outcome(state.take(option))
            worth = sign * outcome.value
            return worth, -outcome.decisions if worth > 0 else outcome.decisions

        ranks = {option: rank(option) for option in state.option_ids}
        best = max(ranks.values())
        return [option for option, found in ranks.items() if found == best]


def solution(compiled: CompiledGame, reward: Reward = "wins", most: int = MOST) -> Solution:
    """Compute the values of all positions, from the ends back to the beginning. Endless play has
    the value 0 for both seats.

    Raises `TooLargeError` if there are more than `most` positions.
    """
    refuse(compiled)
    work = Work.begin(compiled, compiled.begin(), reward)
    t = work.positions
    work.make_nodes(_ROOM)
    work.make_edges(4 * _ROOM)
    work.do("open_graph")
    while t.depth:
        work.do("explore", min(work.at_once, most + 1 - t.nodes))
        if t.nodes > most:
            raise TooLargeError(f"the game has more than {most} positions")
    work.make_spread()
    work.do("turn_round")
    worths = {t.node_worth[node] for node in range(t.nodes) if t.node_player[node] < 0}
    for worth in sorted(worths | {0}, key=lambda worth: -abs(worth)):
        work.do("spread", worth)
    return Solution(compiled, t, 1 if reward == "wins" else 2)
