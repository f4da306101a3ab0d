"""PettingZoo environments for any game: in turns (AEC) and parallel. Needs the extra `pettingzoo`.

Each shipped game has a module: `from rulewright.adapters.pettingzoo import connect_four_v0`, then
`connect_four_v0.env()` or `connect_four_v0.parallel_env()`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from rulewright.adapters.extras import missing
from rulewright.adapters.registered import names
from rulewright.adapters.rewards import Rewards, measure_of
from rulewright.adapters.table import Seen, Table
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game

try:
    from pettingzoo import AECEnv

    from rulewright.adapters.observing import Observation, observation_of
    from rulewright.adapters.pettingzoo_parallel import ParallelSeats
    from rulewright.adapters.pettingzoo_seats import Seats
except ImportError as wrong:
    raise missing("an environment of PettingZoo", "pettingzoo", wrong) from wrong


class RulewrightEnv(Seats, AECEnv[str, Observation, int]):  # type: ignore[misc]  # the library has no types
    """A match of a game in turns. `observe` returns numbers and a mask of legal actions.

    Each seat has a reward for each step; the rewards `wins` and `points` come at the end. A match of more
    than `longest` decisions is cut off.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # the library requires it
        "name": "rulewright_v0",
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": False,
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match with the given seed, or with the next seed."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn()

    def observe(self, agent: str) -> Observation:
        """Return the observation of a seat and the mask of legal actions, which is empty unless it is the
        seat's turn.
        """
        seat = self.possible_agents.index(agent)
        return observation_of(self.table, self.rules_state, seat)

    def step(self, action: int | None) -> None:
        """Take an action for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError("an agent that has ended may only do None")
            self._was_dead_step(None)  # pyright: ignore[reportArgumentType]  # the library intends it so
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if action is None:
            raise ValueError("an action is needed")
        before = self.rules_state
        self._state = self.table.actions.take(before, int(action))
        self._made += 1
        self.rewards = self._rewards_since(before)
        if self._state.over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._made >= self.longest:
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()
        self._deads_step_first()

    def _turn(self) -> None:
        state = self.rules_state
        seat = state.player if not state.over else 0
        self.agent_selection = self.possible_agents[seat]


def env(
    game: str | Path | Game,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    *,
    engine: EngineName = "python",
    reward: Rewards = "wins",
    longest: int = 10_000,
    observation: Seen = "float32",
    render_mode: str | None = None,
) -> RulewrightEnv:
    """Make the environment of a game, for this many players and these options."""
    table = Table.of(game, players, options, engine, measure_of(reward), observation)
    return RulewrightEnv(table, reward, longest, render_mode)


def parallel_env(
    game: str | Path | Game,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    *,
    engine: EngineName = "python",
    reward: Rewards = "wins",
    longest: int = 10_000,
    observation: Seen = "float32",
    render_mode: str | None = None,
) -> ParallelSeats:
    """Make the parallel environment of a game: seats that decide at the same time decide in one step."""
    table = Table.of(game, players, options, engine, measure_of(reward), observation)
    return ParallelSeats(table, reward, longest, render_mode)


def _module(game: str, name: str) -> ModuleType:
    """Make a module of one game, in the form of the library's own modules."""
    module = ModuleType(f"{__name__}.{name}", f"The game {game}, with the rules of this version.")
    module.__dict__["env"] = module.__dict__["raw_env"] = partial(env, game)
    module.__dict__["parallel_env"] = partial(parallel_env, game)
    return module


_MODULES = {name: _module(game, name) for game, name in names()}


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        return _MODULES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
