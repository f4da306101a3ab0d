"""Make opponents in environments: bots by name, functions, policies of learners, and earlier policies of a
learner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

import attrs

from rulewright.adapters.observing import Observation, observation_of
from rulewright.adapters.table import Table
from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.bots.simple import Bot
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import WrongArgumentError

Policy: TypeAlias = "Callable[[Observation], int]"
"""A function that returns the number of an action, given an observation with its mask."""


@runtime_checkable
class Changing(Protocol):
    """An opponent that may be a different bot in each match."""

    def begin(self, generator: Generator) -> Bot:
        """Return the opponent in one match."""
        ...


Opponent: TypeAlias = "str | Bot | Changing"
Opponents: TypeAlias = "Opponent | Mapping[int, Opponent]"
"""One opponent for all other seats, or one opponent for each seat."""


def bot_of(table: Table, policy: Policy) -> Bot:
    """Turn a policy of a learner into a bot. The policy is given the observation of the seat that decides."""

    def choose(state: State, generator: Generator) -> int:
        action = int(policy(observation_of(table, state, state.player)))
        if action not in table.actions.offered(state):
            raise WrongArgumentError(f"the policy chose action {action}, which is not offered")
        return table.actions.option(state, action)

    return choose


@attrs.define(eq=False)
class PastSelves:
    """Earlier policies of a learner, as an opponent for its current policy.

    In each match the opponent is the latest policy with probability `latest`, and otherwise any earlier
    policy. Before the first policy is added, the opponent is a random bot. Policies must not change after
    they are added, so add copies.
    """

    table: Table
    latest: float = 0.5
    most: int = 50
    """The maximum number of policies that are stored. The oldest policy is dropped first."""
    _bots: list[Bot] = attrs.field(init=False, factory=list)

    def add(self, policy: Policy) -> None:
        """Add a policy as the latest one."""
        self._bots.append(bot_of(self.table, policy))
        del self._bots[: -self.most]

    def __len__(self) -> int:
        return len(self._bots)

    def begin(self, generator: Generator) -> Bot:
        """Return the opponent in one match."""
        if not self._bots:
            return bot_named("random")
        if len(self._bots) == 1 or generator.below(_PARTS) < self.latest * _PARTS:
            return self._bots[-1]
        return self._bots[generator.below(len(self._bots) - 1)]


def opponents_of(given: Opponents, seats: int) -> list[Bot | Changing]:
    """Return the opponent at each seat. The opponent at the learner's seat is not used."""
    if not isinstance(given, Mapping):
        return [_parse_opponent(given)] * seats
    for seat in given:
        if seat not in range(seats):
            raise WrongArgumentError(f"there is no seat {seat}: seats are 0 to {seats - 1}")
    return [_parse_opponent(given.get(seat, "random")) for seat in range(seats)]


def _parse_opponent(opponent: Opponent) -> Bot | Changing:
    if isinstance(opponent, str):
        return bot_named(opponent)
    if callable(opponent) or hasattr(opponent, "begin"):
        return opponent
    message = f"an opponent is the name of a bot or a function, not {opponent!r:.40}"
    raise WrongArgumentError(message)


def begin_opponents(opponents: Sequence[Bot | Changing], generator: Generator) -> list[Bot]:
    """Return the bots at the seats in one match. A changing opponent is the same bot at all its seats."""
    bots: dict[int, Bot] = {}
    for opponent in opponents:
        if id(opponent) not in bots:
            bots[id(opponent)] = (
                opponent.begin(generator) if isinstance(opponent, Changing) else opponent
            )
    return [bots[id(opponent)] for opponent in opponents]


_PARTS = 1_000_000
