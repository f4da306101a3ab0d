"""Assigns numbers to actions. An action has the same number in every state of a variant.

An action is an option of a decision of the rules, no matter which player decides. The numbers begin
at 0.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import attrs

from rulewright.dsl.ir import SITE
from rulewright.interpreter.engines.batch import action_starts
from rulewright.interpreter.matches.requests import whole
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import WrongArgumentError
from rulewright.interpreter.text.kinds import refuses_wrong_kinds
from rulewright.interpreter.text.names import digits
from rulewright.interpreter.views.compiled_game import CompiledGame


def _starts(actions: Actions) -> tuple[int, ...]:
    if not isinstance(actions.compiled, CompiledGame):
        raise WrongArgumentError("actions are those of a compiled variant (`state.compiled`)")
    return action_starts(actions.compiled.program)


@attrs.frozen(eq=False)
class Actions:
    """All actions of a variant, numbered from 0. An action has the same number in every state."""

    compiled: CompiledGame
    _starts: tuple[int, ...] = attrs.field(
        init=False, default=attrs.Factory(_starts, takes_self=True)
    )

    def __len__(self) -> int:
        return self._starts[-1]

    @refuses_wrong_kinds
    def number(self, state: State, option: int) -> int:
        """Return the action number of an option of the open decision."""
        return self._starts[state.cells[SITE]] + option

    @refuses_wrong_kinds
    def option(self, state: State, number: int) -> int:
        """Return the option of the open decision that has the action number `number`, whether it is offered or not."""
        return number - self._starts[state.cells[SITE]]

    @refuses_wrong_kinds
    def offered(self, state: State) -> list[int]:
        """Return the numbers of the offered actions. At a chance event or at the end, the list is empty."""
        if state.over or state.at_chance:
            return []
        start = self._starts[state.cells[SITE]]
        return [start + option for option in state.option_ids]

    @refuses_wrong_kinds
    def mask(self, state: State) -> bytearray:
        """Return a byte for each action: 1 if the action is offered, else 0."""
        mask = bytearray(len(self))
        for number in self.offered(state):
            mask[number] = 1
        return mask

    @refuses_wrong_kinds
    def take(self, state: State, number: int) -> State:
        """Return the state after an action. Raises `ValueError` if the action is not offered."""
        number = whole(number, "an action")
        if number not in self.offered(state):
            raise WrongArgumentError(f"action {number} cannot be done here")
        return state.take(self.option(state, number))

    @refuses_wrong_kinds
    def words(self, number: int) -> str:
        """Describe an action and its decision in words."""
        if not 0 <= number < len(self):
            raise WrongArgumentError(f"there is no action {number}, only {len(self)} of them")
        site = bisect_right(self._starts, number) - 1
        program = self.compiled.program
        where = program.sites[site].word or program.suspending[program.sites[site].procedure].name
        name = self.compiled.words.option(site, number - self._starts[site])
        return f"{where}: {name}"

    def __iter__(self) -> Iterator[str]:
        return (self.words(number) for number in range(len(self)))

    @property
    def parameters(self) -> int:
        """Return the maximum number of parameters of an action."""
        arms = (arm for site in self.compiled.program.sites for arm in site.arms)
        return max((len(arm.arguments) for arm in arms), default=0)

    def structured(self, number: int) -> tuple[int, int, tuple[int, ...]]:
        """Return the structure of an action: the number of its decision, the number of its arm, and its parameters."""
        number = whole(number, "an action", 0, len(self) - 1)
        site = bisect_right(self._starts, number) - 1
        option = number - self._starts[site]
        for place, arm in enumerate(self.compiled.program.sites[site].arms):
            if 0 <= option - arm.base < prod(size for _, _, size in arm.arguments):
                return site, place, digits(arm, option)
        return site, -1, ()  # the number lies between two arms

    def table(self) -> array[int]:
        """Return a row for each action: decision, arm, and `parameters` numbers, padded with -1.

        `numpy.asarray(actions.table()).reshape(len(actions), -1)[numbers]` gives the structure of
        many actions.
        """
        found, width = array("i"), self.parameters
        for number in range(len(self)):
            site, way, given = self.structured(number)
            found.extend((site, way, *given, *[-1] * (width - len(given))))
        return found

    @property
    def fingerprint(self) -> str:
        """Return a hash of the actions and their numbers. A change of the rules can change this hash."""
        return hashlib.sha256("\n".join(self._names()).encode()).hexdigest()[:16]

    def saved(self) -> dict[str, Any]:
        """Return the names of all actions in the order of their numbers.

        The result is data for a file that is stored together with a trained network.
        """
        return {"format": FORMAT, "fingerprint": self.fingerprint, "names": self._names()}

    @refuses_wrong_kinds
    def since(self, saved: Mapping[str, Any]) -> Renumbered:
        """Find the current number of each action in an earlier table."""
        names = saved.get("names") if saved.get("format") == FORMAT else None
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise WrongArgumentError(f"this is not a table of actions of the format {FORMAT!r}")
        now = {name: number for number, name in enumerate(self._names())}
        numbers = array("i", (now.get(name, -1) for name in names))
        known = set(names)
        gone = tuple(name for name in names if name not in now)
        return Renumbered(numbers, gone, tuple(name for name in now if name not in known))

    def _names(self) -> list[str]:
        """Return the texts of all actions. If two texts are equal, the second becomes `text#2`."""
        met, found = Counter[str](), list[str]()
        for words in self:
            met[words] += 1
            found.append(words if met[words] == 1 else f"{words}#{met[words]}")
        return found


FORMAT = "rulewright actions 1"


@attrs.frozen
class Renumbered:
    """The actions of an earlier table, and their current numbers."""

    numbers: array[int]
    """For each old number, the new number, or -1 if the action no longer exists."""
    gone: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def moved(self) -> int:
        """Return how many actions have a different number now."""
        return sum(0 <= now != old for old, now in enumerate(self.numbers))

    @property
    def report(self) -> str:
        """Describe the differences in words."""
        same = len(self.numbers) - self.moved - len(self.gone)
        lines = [f"{same:,} actions have the same number, {self.moved:,} have another"]
        for what, names in (("gone", self.gone), ("new", self.new)):
            if names:
                more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
                lines.append(f"{len(names):,} {what}: {', '.join(names[:_SHOWN])}{more}")
        return "\n".join(lines)


_SHOWN = 5
