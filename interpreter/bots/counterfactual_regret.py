"""Computes strategies for small games with hidden information. A strategy covers the whole game, and may be mixed.

In a game with hidden information, the best choice depends on how other players would have played
earlier, and a predictable player loses. A search tree that begins at the open decision cannot take
this into account. So the whole game is solved, by regret minimisation along sampled paths
(`rulewright.interpreter.solvers`). In two-player zero-sum games, the mean strategy approaches an
equilibrium. This module handles only small games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.solvers.equilibrium import Equilibrium, runner
from rulewright.interpreter.solvers.whole_tree import TooLargeError, TreeWriter, with_new_sums
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame

Known: TypeAlias = "tuple[bytes | int, ...]"
"""The observations of a seat at its decisions, and its choices, in order."""

_PLACES = 3_000
"""The maximum number of different decisions in a small game."""
_NODES = 30_000
"""The maximum number of positions in the tree of a small game."""
_DECISIONS = 40
"""The maximum number of decisions in a match of a small game."""
_PLAYS = 2_000
"""The number of random playouts that test whether a game is small. They reach nearly all decisions of a small game."""
_NEW = 20
"""At the end of these playouts, at most one in `_NEW` decisions may be new."""
_SELDOM = 0.02
"""The minimum probability of an option. An option that is taken less often is attributed to exploration and ignored."""
_AT_ONCE = 100
"""The number of positions written, or walks made, between two checks of the clock."""


@attrs.frozen
class Advice:
    """An option, how often to take it, and its mean result."""

    option: int
    often: float
    worth: float


@attrs.define(eq=False)
class Regrets:
    """A strategy for a variant. It improves with each walk through the game."""

    _writer: TreeWriter
    """Writes the tree. Strategies for the same reward share it."""
    _solver: Equilibrium | None = None

    @property
    def walks(self) -> int:
        """Return the number of walks through the game. A walk is made once for every seat."""
        return 0 if self._solver is None else self._solver.rounds

    def go_on(self, walks: int) -> None:
        """Write more of the tree. If the tree is complete, make `walks` walks through it."""
        if self._solver is None and self._writer.go_on(_AT_ONCE):
            whole = attrs.evolve(self._writer.whole, tree=with_new_sums(self._writer.tree))
            self._solver = Equilibrium(whole, "external sampling", runner())
        elif self._solver is not None:
            self._solver.improve(walks)

    def advice(self, state: State) -> list[Advice] | None:
        """Return advice for the open decision. If no walk has reached the decision, return None."""
        solver = self._solver
        info = None if solver is None else solver.whole.set_of(state)
        if solver is None or info is None or not solver.tree.met[info]:
            return None
        t = solver.tree
        slots = range(t.begin[info], t.begin[info] + t.size[info])
        total = sum(t.often[slot] for slot in slots)
        often = [t.often[slot] / total if total else t.strategy[slot] for slot in slots]
        often = [one if one >= _SELDOM else 0.0 for one in often]
        return [
            Advice(option, one / sum(often), t.worths[slot])
            for option, one, slot in zip(solver.whole.options[info], often, slots, strict=True)
        ]


def draw_option(advice: list[Advice], generator: Generator) -> int:
    """Draw an option at random, with the frequencies of the advice."""
    rest = generator.below(2**30) / 2**30
    for one in advice:
        rest -= one.often
        if rest < 0:
            return one.option
    return max(advice, key=lambda one: one.often).option


@attrs.define(eq=False)
class _Small:
    """A small game: a tree for each reward, and strategies keyed by reward and number of walks."""

    trees: dict[Reward, TreeWriter] = attrs.field(factory=dict)
    strategies: dict[tuple[Reward, int], Regrets] = attrs.field(factory=dict)


_SOLVED: WeakKeyDictionary[CompiledGame, _Small | None] = WeakKeyDictionary()


def find_advice(
    state: State, compiled: CompiledGame, reward: Reward, walks: int, is_enough: Callable[[], bool]
) -> list[Advice] | None:
    """Return advice for the open decision after `walks` walks. If `walks` is 0, make walks until
    `is_enough` returns true.

    Returns None if the game is not small. `compiled` is the game of the state, with the engine that
    runs it.
    """
    found = regrets_of(compiled, reward, walks)
    if found is None:
        return None
    try:
        while found.walks < walks or not walks:
            found.go_on(min(_AT_ONCE, walks - found.walks) if walks else _AT_ONCE)
            if is_enough():
                break
    except (TooLargeError, RuleFault):
        _SOLVED[compiled] = None
        return None
    return found.advice(state)


def regrets_of(compiled: CompiledGame, reward: Reward, walks: int) -> Regrets | None:
    """Return the current strategy of bots that make `walks` walks. If the game is not small, return None."""
    if compiled not in _SOLVED:
        _SOLVED[compiled] = _Small() if is_small(compiled) else None
    small = _SOLVED[compiled]
    if small is None:
        return None
    if reward not in small.trees:
        small.trees[reward] = _writer(compiled, reward)
    # A bot with fewer walks must not profit from the longer search of another bot.
    return small.strategies.setdefault((reward, walks), Regrets(small.trees[reward]))


def _writer(compiled: CompiledGame, reward: Reward) -> TreeWriter:
    if reward == "points":
        return TreeWriter(compiled, lambda state: state.returns("points"), _NODES)
    return TreeWriter(compiled, lambda state: state.shares, _NODES)


def is_small(compiled: CompiledGame) -> bool:
    """Return whether a game has secrets, and random playouts reach only few different decisions."""
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
