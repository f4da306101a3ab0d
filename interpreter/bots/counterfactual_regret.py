"""How to play a small game that hides something: a strategy for all of it, mixed where it has to be.

The best choice there depends on how others would have played before, and a predictable player loses by that. No tree
that begins at the open decision can show this. So the whole game is walked through again and again. A place is an
information set: all that its chooser has seen and done. Options there are taken in proportion to their regret. The
mean strategy comes near to an equilibrium where two play against each other. The method is external sampling (Lanctot
and others, Monte Carlo sampling for regret minimization in extensive games, 2009). Does not handle games that are not
small.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.returns import Reward, returns, shares
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"
Known: TypeAlias = "tuple[bytes | int, ...]"
"""The observations of a seat at its decisions and its choices, in order."""

_PLACES = 3_000
"""A small game has so many places at most."""
_DECISIONS = 40
"""In a small game nobody decides more often in a play."""
_PLAYS = 2_000
"""So many plays at random meet nearly all places of a small game."""
_NEW = 20
"""A place in so many that were met may be a new one at the end of these."""
_SEEN = 50_000
"""How many positions keep their observation in memory."""
_SELDOM = 0.02
"""An option that is taken less often than this is only a remainder of exploration."""


@attrs.define(eq=False)
class _Place:
    options: tuple[int, ...]
    regrets: list[float]
    often: list[float]
    worths: list[float]
    met: int = 0

    @classmethod
    def of(cls, options: list[int]) -> _Place:
        nothing = [0.0] * len(options)
        return cls(tuple(options), nothing[:], nothing[:], nothing)

    def strategy(self) -> list[float]:
        """How often to take each option now."""
        wanted = [max(0.0, regret) for regret in self.regrets]
        total = sum(wanted)
        return [one / total for one in wanted] if total else [1 / len(wanted)] * len(wanted)


@attrs.frozen
class Advice:
    """An option: how often to take it, and its mean result."""

    option: int
    often: float
    worth: float


class Regrets:
    """A strategy for a variant; the more often the game has been walked through, the better."""

    def __init__(self, compiled: CompiledGame, reward: Reward) -> None:
        self._compiled = compiled
        self._reward: Reward = reward
        self._generator = Generator.seeded(0)
        self._observer = observer_of(compiled)
        self._places: dict[Known, _Place] = {}
        self._seen: dict[tuple[int, bytes], bytes] = {}
        self.walks = 0

    def walk(self) -> None:
        """Walk through the game once for each seat."""
        self.walks += 1
        seats = self._compiled.program.seats
        for seat in range(seats):
            try:
                self._down(self._compiled.begin()[:], [()] * seats, seat)
            except RuleFault:
                continue

    def advice(self, state: State) -> list[Advice] | None:
        """Advice for the open decision; None where it has not been met."""
        place = self._places.get(self._key(state))
        if place is None or set(place.options) != set(state.option_ids) or not place.met:
            return None
        total = sum(place.often)
        often = [one / total for one in place.often] if total else place.strategy()
        often = [one if one >= _SELDOM else 0.0 for one in often]
        return [
            Advice(option, one / sum(often), worth)
            for option, one, worth in zip(place.options, often, place.worths, strict=True)
        ]

    def _key(self, state: State) -> Known:
        player, known = state.player, list[bytes | int]()
        way = [*state.past, state]
        for before, after in pairwise(way):
            if not before.cells[BOUND] and before.player == player:
                known += (self._see(before.cells, player), after.choice)
        return (*known, self._see(state.cells, player))

    def _see(self, cells: Cells, player: int) -> bytes:
        key = player, cells.tobytes()
        seen = self._seen.get(key)
        if seen is None:
            seen = self._observer.observe(cells, player).tobytes()
            if len(self._seen) < _SEEN:
                self._seen[key] = seen
        return seen

    def _down(self, cells: Cells, known: list[Known], seat: int) -> float:
        """The worth of a position to a seat, which tries all its options there."""
        compiled, generator = self._compiled, self._generator
        while cells[BOUND]:
            compiled.advance(cells, generator.below(cells[BOUND]))
        if cells[OVER]:
            return self._worth(cells)[seat]
        player = cells[PLAYER]
        key = (*known[player], self._see(cells, player))
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = _Place.of(compiled.options(cells))
        strategy = place.strategy()
        if player != seat:
            for number, one in enumerate(strategy):
                place.often[number] += self.walks * one  # later walks count more
            taken = _drawn(strategy, generator)
            return self._after(cells, known, key, place.options[taken], seat)
        found = [self._after(cells[:], known, key, option, seat) for option in place.options]
        mean = sum(one * worth for one, worth in zip(strategy, found, strict=True))
        place.met += 1
        for number, worth in enumerate(found):
            place.regrets[number] += self.walks * (worth - mean)
            place.worths[number] += (worth - place.worths[number]) / place.met
        return mean

    def _after(self, cells: Cells, known: list[Known], key: Known, option: int, seat: int) -> float:
        after = known[:]
        after[cells[PLAYER]] = (*key, option)
        self._compiled.advance(cells, option)
        return self._down(cells, after, seat)

    def _worth(self, cells: Cells) -> list[float]:
        if self._reward == "points":
            return returns(self._compiled, cells, "points")
        return shares(self._compiled, cells)


def _drawn(often: list[float], generator: Generator) -> int:
    rest = generator.below(2**30) / 2**30
    for number, one in enumerate(often):
        rest -= one
        if rest < 0:
            return number
    return max(range(len(often)), key=often.__getitem__)


def drawn(advice: list[Advice], generator: Generator) -> int:
    """One of the options, as often as it is to be taken."""
    return advice[_drawn([one.often for one in advice], generator)].option


_SOLVED: WeakKeyDictionary[CompiledGame, dict[tuple[Reward, int], Regrets] | None] = (
    WeakKeyDictionary()
)
"""For each small game the strategies, by reward and number of walks."""


def advised(
    state: State, compiled: CompiledGame, reward: Reward, walks: int, is_enough: Callable[[], bool]
) -> list[Advice] | None:
    """Advice for the open decision after so many walks (0: until it is enough); None where the game is not small.

    `variant` is that of the state, with the engine that is to play it.
    """
    found = regrets_of(compiled, reward, walks)
    if found is None:
        return None
    while found.walks < walks or not walks:
        found.walk()
        if is_enough():
            break
    return found.advice(state)


def regrets_of(compiled: CompiledGame, reward: Reward, walks: int) -> Regrets | None:
    """The strategy that is worked out by so many walks, as far as it is; None where the game is not small."""
    if compiled not in _SOLVED:
        _SOLVED[compiled] = {} if is_small(compiled) else None
    known = _SOLVED[compiled]
    # A bot that thinks less must not profit from the longer work of others here.
    return None if known is None else known.setdefault((reward, walks), Regrets(compiled, reward))


def is_small(compiled: CompiledGame) -> bool:
    """Whether a game hides something, and plays at random meet few places where somebody decides."""
    if not compiled.viewer.has_secrets or compiled.program.seats < 2:
        return False
    generator, met = Generator.seeded(0), set[Known]()
    observer, fresh, visits = observer_of(compiled), 0, 0
    for number in range(_PLAYS):
        cells, made = compiled.begin()[:], 0
        known: list[Known] = [()] * compiled.program.seats
        while not cells[OVER]:
            if cells[BOUND]:
                compiled.advance(cells, generator.below(cells[BOUND]))
                continue
            made += 1
            if made > _DECISIONS or len(met) > _PLACES:
                return False
            player = cells[PLAYER]
            key = (*known[player], observer.observe(cells, player).tobytes())
            if number >= _PLAYS // 2:
                visits += 1
                fresh += key not in met
            met.add(key)
            offered = compiled.options(cells)
            option = offered[generator.below(len(offered))]
            known[player] = (*key, option)
            compiled.advance(cells, option)
    return fresh * _NEW <= visits
