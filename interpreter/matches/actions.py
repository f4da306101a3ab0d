"""Actions by dense numbers: the same action has the same number in every state of a variant.

An action is an option of a decision of the rules, no matter which player decides.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import attrs

from rulewright.dsl.ir import SITE
from rulewright.interpreter.engines.batch import action_starts
from rulewright.interpreter.matches.requests import whole
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import WrongArgumentError
from rulewright.interpreter.views.compiled_game import CompiledGame


def _starts(actions: Actions) -> tuple[int, ...]:
    return action_starts(actions.compiled.program)


@attrs.frozen(eq=False)
class Actions:
    """All actions of a variant by number: an action has the same number in every state."""

    compiled: CompiledGame
    _starts: tuple[int, ...] = attrs.field(
        init=False, default=attrs.Factory(_starts, takes_self=True)
    )

    def __len__(self) -> int:
        return self._starts[-1]

    def number(self, state: State, option: int) -> int:
        """The number of an option of the open decision."""
        return self._starts[state.cells[SITE]] + option

    def option(self, state: State, number: int) -> int:
        """The option of the open decision with this number, offered or not."""
        return number - self._starts[state.cells[SITE]]

    def offered(self, state: State) -> list[int]:
        """The numbers of the actions that are offered; none for chance and at the end."""
        if state.over or state.at_chance:
            return []
        start = self._starts[state.cells[SITE]]
        return [start + option for option in state.option_ids]

    def mask(self, state: State) -> bytearray:
        """For each action 1 if it is offered, else 0."""
        mask = bytearray(len(self))
        for number in self.offered(state):
            mask[number] = 1
        return mask

    def take(self, state: State, number: int) -> State:
        """The state after an action; raises `ValueError` if it is not offered."""
        number = whole(number, "an action")
        if number not in self.offered(state):
            raise WrongArgumentError(f"action {number} cannot be done here")
        return state.take(self.option(state, number))

    def words(self, number: int) -> str:
        """An action in words, with its decision."""
        if not 0 <= number < len(self):
            raise WrongArgumentError(f"there is no action {number}, only {len(self)} of them")
        site = bisect_right(self._starts, number) - 1
        program = self.compiled.program
        where = program.sites[site].word or program.suspending[program.sites[site].procedure].name
        name = self.compiled.words.option(site, number - self._starts[site])
        return f"{where}: {name}"

    def __iter__(self) -> Iterator[str]:
        return (self.words(number) for number in range(len(self)))
