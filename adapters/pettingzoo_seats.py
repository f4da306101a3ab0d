"""The common part of both PettingZoo environments: a match, its seats, and the shapes of their numbers."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from rulewright.adapters.observing import fresh_seed, space_of, space_of_whole, whole
from rulewright.adapters.rendering import render_state
from rulewright.adapters.rewards import Rewards, reward_of
from rulewright.adapters.table import Table
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.view import EVERYBODY


class Seats:
    """A match of a game, cut off after `longest` decisions."""

    possible_agents: list[str]
    agents: list[str]
    state_space: spaces.Box

    def __init__(
        self, table: Table, reward: Rewards, longest: int, render_mode: str | None
    ) -> None:
        super().__init__()
        self.table, self.longest, self.render_mode = table, longest, render_mode
        self._reward = reward_of(reward, table)
        self.possible_agents, self.agents = list(table.seats), []
        self.state_space = space_of_whole(table)
        self._seen = space_of(table)
        self._space = {agent: spaces.Discrete(len(table.actions)) for agent in table.seats}
        self._seed, self._made = fresh_seed(), 0
        self._state: State | None = None

    @property
    def rules_state(self) -> State:
        """The state of the match; raises RuntimeError before the first reset."""
        if self._state is None:
            raise RuntimeError("call reset() first")
        return self._state

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the shape of observations, which is the same for all seats."""
        return self._seen

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the numbers of actions."""
        return self._space[agent]

    def state(self) -> Any:
        """Return the whole state as numbers, including things hidden from everybody."""
        return whole(self.rules_state)

    def render(self) -> Any:
        """Draw the position as everybody sees it: as text, or as an array of pixels, which needs vl-convert."""
        return render_state(self.rules_state, EVERYBODY, self.render_mode)

    def close(self) -> None:
        """Do nothing, because nothing has to be closed."""

    def _begin(self, seed: int | None) -> None:
        """Begin a new match with the given seed, or with the next seed."""
        self._seed = self._seed + 1 if seed is None else seed
        self._made = 0
        self._state = self.table.start(self._seed)
        self.agents = list(self.possible_agents)

    def _rewards_since(self, before: State) -> dict[str, float]:
        """Return the reward of each seat for the change from the state `before` to the current state."""
        now, reward = self.rules_state, self._reward
        return {a: float(reward(before, now, n)) for n, a in enumerate(self.possible_agents)}
