"""Functions from outside that guide a search: a network, or knowledge of one game."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import WrongArgumentError

Policy: TypeAlias = Callable[[State], Sequence[float]]
"""Gives a number from 0 for each option, in their order: how likely it is the best one. Only proportions count."""
Value: TypeAlias = Callable[[State], Sequence[float]]
"""Gives for each seat the result to expect: the share of the victory, or by points the lead."""


@attrs.frozen
class Guide:
    """Functions that guide a search; without a value function, random rollouts value positions.

    The functions get states in which the search has guessed what the player cannot know.
    """

    root: State
    """Any state of the match."""
    policy: Policy | None = None
    value: Value | None = None

    def value_of(self, cells: array[int]) -> Sequence[float]:
        """The result to expect for each seat."""
        assert self.value is not None
        return self._checked(self.value, cells, len(self.root.players), "value", "seat")

    def better(self, cells: array[int], count: int) -> list[float]:
        """How much likelier each option of a position is to be the best than options are on the mean: -1 if never."""
        if self.policy is None:
            return [0.0] * count
        found = self._checked(self.policy, cells, count, "policy", "option")
        total = sum(found)
        if min(found) < 0 or not 0 < total < float("inf"):
            raise WrongArgumentError("a policy gives numbers from 0, of which one at least is more")
        return [number * count / total - 1 for number in found]

    def _checked(
        self,
        function: Callable[[State], Sequence[float]],
        cells: array[int],
        count: int,
        name: str,
        what: str,
    ) -> list[float]:
        found = [float(number) for number in function(self.root.with_cells(cells[:]))]
        if len(found) != count:
            raise WrongArgumentError(
                f"a {name} gives a number for each {what}: {count}, not {len(found)}"
            )
        return found
