"""Computes strategies for games with hidden information: regret minimisation, best responses and exploitability.

All of them use the whole tree of the game. They run in native code if llvmlite is installed,
otherwise in Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, Literal, get_args

import attrs

from rulewright.interpreter.engines.kernels import regret_minimisation
from rulewright.interpreter.engines.kernels.game_tree import GameTree
from rulewright.interpreter.matches.requests import one_of, whole
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.solvers.whole_tree import MOST, WholeTree, whole_tree
from rulewright.interpreter.text.errors import NoNativeEngineError, WrongArgumentError
from rulewright.interpreter.views.compiled_game import CompiledGame

Method = Literal["cfr", "cfr+", "external sampling"]


@attrs.define(eq=False)
class Equilibrium:
    """A strategy for all seats of a game. It improves with each round."""

    whole: WholeTree
    method: Method
    _run: Callable[..., None]

    @property
    def tree(self) -> GameTree:
        """Return the tree of the game, with the sums so far."""
        return self.whole.tree

    @property
    def rounds(self) -> int:
        """Return the number of rounds so far."""
        return self.tree.rounds

    def improve(self, rounds: int) -> None:
        """Run `rounds` rounds."""
        rounds = whole(rounds, "the number of rounds")
        if self.method == "external sampling":
            self._run("sample", self.tree, rounds)
        else:
            self._run("minimise", self.tree, rounds, int(self.method == "cfr+"))

    def values(self) -> list[float]:
        """Return the value of the game to each seat if all seats play the strategy."""
        t = self._with_mean()
        found = []
        for seat in range(t.seats):
            self._run("worth_of", t, seat)
            found.append(t.value[0])
        return found

    def best_answers(self) -> list[float]:
        """Return, for each seat, the value of its best response if the other seats play the strategy."""
        t = self._with_mean()
        found = []
        for seat in range(t.seats):
            self._run("best_answer", t, seat)
            found.append(t.value[0])
        return found

    def exploitability(self) -> float:
        """Return the mean gain of a seat from switching to its best response: 0 in an equilibrium."""
        pairs = zip(self.best_answers(), self.values(), strict=True)
        return sum(best - value for best, value in pairs) / self.tree.seats

    def strategy(self, state: State) -> dict[int, float] | None:
        """Return the probability of each option of the open decision, or None if the decision is not in this game.

        The state must remember its past.
        """
        info = self.whole.set_of(state)
        if info is None:
            return None
        begin = self.tree.begin[info]
        options = self.whole.options[info]
        return {option: self.mean[begin + place] for place, option in enumerate(options)}

    @property
    def mean(self) -> array[float]:
        """Return the mean strategy of all rounds, indexed by slot."""
        t = self.tree
        found = array("d", bytes(8 * t.slots))
        for info in range(t.sets):
            slots = range(t.begin[info], t.begin[info] + t.size[info])
            total = sum(t.often[slot] for slot in slots)
            for slot in slots:
                found[slot] = t.often[slot] / total if total > 0 else 1 / t.size[info]
        return found

    def _with_mean(self) -> GameTree:
        return attrs.evolve(self.tree, strategy=self.mean)


def equilibrium(
    compiled: CompiledGame,
    method: Method = "cfr+",
    reward: Reward = "wins",
    *,
    seed: int = 1,
    most: int = MOST,
    native: bool | None = None,
) -> Equilibrium:
    """Return a solver for a game. At first, all options have equal probabilities.

    In zero-sum games of two seats, the strategy converges to an equilibrium. `native` says whether
    native code runs the solver, `most` is the maximum number of nodes, and `seed` determines the
    paths of external sampling.
    """
    one_of(method, get_args(Method), "a method")
    if compiled.program.seats < 2:
        raise WrongArgumentError("an equilibrium needs two players or more")
    found = whole_tree(compiled, reward, most)
    found.tree.seed = whole(seed, "a seed") & regret_minimisation.BITS
    return Equilibrium(found, method, runner(native))


def runner(native: bool | None = None) -> Callable[..., None]:
    """Return a function that runs the kernels.

    If `native` is True, the function runs them in native code, and if False, in Python. If `native`
    is None, native code is used if llvmlite is installed.
    """
    if native is False:
        return _in_python
    from rulewright.interpreter.engines.native.kernel_groups import (  # noqa: PLC0415  # loads llvmlite
        SOLVING,
    )

    def run(task: str, t: GameTree, *numbers: Any) -> None:
        try:
            SOLVING.run(task, t, *numbers)
        except NoNativeEngineError:
            if native:
                raise
            _in_python(task, t, *numbers)

    return run


def _in_python(task: str, t: GameTree, *numbers: int) -> None:
    getattr(regret_minimisation, task)(t, *numbers)
