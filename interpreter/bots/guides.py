"""Calls functions that the caller provides to guide a search, such as a neural network or a formula for one game."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

import attrs

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import WrongArgumentError

Policy: TypeAlias = Callable[[State], Sequence[float]]
"""A function that returns a weight of at least 0 for each option, in order.

The weight says how likely it is that the option is the best. Only the proportions of the weights
matter.
"""
Value: TypeAlias = Callable[[State], Sequence[float]]
"""A function that returns the expected result for each seat: the share of the victory, or the lead by points."""
Evaluator: TypeAlias = Callable[
    [Sequence[State]], Sequence[tuple[Sequence[float] | None, Sequence[float]]]
]
"""A function that returns a policy and a value for each of the given states. A policy of None means
that there is none."""


@attrs.frozen
class Guide:
    """Functions that guide a search. Without a value function, random rollouts value positions.

    The functions are called with states in which the search has sampled the information that is
    hidden from the player.
    """

    root: State
    """A state of the match, at any decision."""
    policy: Policy | None = None
    value: Value | None = None
    evaluate: Evaluator | None = None
    """A function that replaces `policy` and `value` for batches of states."""

    def value_of(self, cells: array[int]) -> list[float]:
        """Return the expected result of each seat."""
        assert self.value is not None
        return self._values(self.value(self._state(cells)))

    def better(self, cells: array[int], count: int) -> list[float]:
        """Return, for each option, its weight relative to the mean weight, minus 1. An option that
        is never best gets -1."""
        if self.evaluate is not None:
            return self.evaluate_all([cells], [count])[0][0]
        if self.policy is None:
            return [0.0] * count
        return self._better(self.policy(self._state(cells)), count)

    def evaluate_all(
        self, positions: Sequence[array[int]], counts: Sequence[int]
    ) -> list[tuple[list[float], list[float]]]:
        """Return, for each position, the results of `better` for its options, and the expected result of each seat."""
        assert self.evaluate is not None
        found: Any = self.evaluate([self._state(cells) for cells in positions])
        if not isinstance(found, Collection) or len(found) != len(positions):
            given = len(found) if isinstance(found, Collection) else f"{found!r:.40}"
            raise WrongArgumentError(
                f"an evaluator gives a policy and a value for each state: {len(positions)}, not {given}"
            )
        return [
            (
                [0.0] * count if policy is None else self._better(policy, count),
                self._values(value),
            )
            for (policy, value), count in zip(found, counts, strict=True)
        ]

    def _state(self, cells: array[int]) -> State:
        return self.root.with_cells(cells[:])

    def _values(self, given: Sequence[float]) -> list[float]:
        return _check_numbers(given, len(self.root.players), "value", "seat")

    @staticmethod
    def _better(given: Sequence[float], count: int) -> list[float]:
        found = _check_numbers(given, count, "policy", "option")
        total = sum(found)
        if min(found) < 0 or not 0 < total < float("inf"):
            raise WrongArgumentError("a policy gives numbers from 0, of which one at least is more")
        return [number * count / total - 1 for number in found]


def _check_numbers(given: Sequence[float], count: int, name: str, what: str) -> list[float]:
    if isinstance(given, Mapping | AbstractSet):
        raise WrongArgumentError(f"a {name} gives a list of numbers, not {given!r:.40}")
    try:
        found = [float(number) for number in given]
    except (TypeError, ValueError):
        raise WrongArgumentError(f"a {name} gives numbers, not {given!r:.40}") from None
    if len(found) != count:
        raise WrongArgumentError(
            f"a {name} gives a number for each {what}: {count}, not {len(found)}"
        )
    return found
