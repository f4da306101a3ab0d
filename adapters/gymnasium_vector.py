"""A Gymnasium environment with many matches at once, in which the learner plays all seats.

Needs the extra `gymnasium`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.adapters.extras import missing
from rulewright.adapters.table import Seen, Table
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.vector import Vector

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from rulewright.adapters.observing import Observation, space_of
except ImportError as wrong:
    raise missing("an environment of Gymnasium", "gymnasium", wrong) from wrong

_SEEDS = 2**31


class TurnsVectorEnv(VectorEnv[Observation, Any, Any]):
    """An environment with many matches, each seen by the player whose turn it is.

    The reward goes to the player who has just acted; `info["returns"]` has the returns of all seats, and
    `info["player"]` says who decides next (-1 at the end). At the end of a match, the observation is the
    final observation of the first seat. The next step ignores the action for this match and restarts the
    match, with reward 0.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  # the library requires it

    def __init__(
        self,
        game: str | Path | Game,
        num_envs: int = 1,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        engine: EngineName | None = None,
        reward: Reward = "wins",
        jobs: int = 1,
        observation: Seen = "float32",
    ) -> None:
        self.table = Table.of(game, players, options, engine or "python", reward, observation)
        self.num_envs = num_envs
        self._vector = self.table.game.vector(
            num_envs, players, options, engine=engine, reward=reward, jobs=jobs
        )
        self.single_observation_space = space_of(self.table)
        self.single_action_space = spaces.Discrete(len(self.table.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        vector = self._vector
        self._masks = np.asarray(vector.masks, np.int8).reshape(num_envs, -1)
        self._players = np.asarray(vector.players)
        self._over = np.asarray(vector.over)
        self._returns = np.asarray(vector.rewards).reshape(num_envs, -1)

    @property
    def vector(self) -> Vector:
        """The matches."""
        return self._vector

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all matches again. Match number n has the seed `seed + n`."""
        super().reset(seed=seed)
        self._vector.reset(int(self.np_random.integers(_SEEDS)) if seed is None else seed)
        return self._observation(), self._info()

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Take one action in each match."""
        acted = np.maximum(self._players, 0)
        self._vector.step(np.ascontiguousarray(actions, np.int32))
        rewards = self._returns[np.arange(self.num_envs), acted].copy()
        over = self._over.astype(bool)
        return self._observation(), rewards, over, np.zeros_like(over), self._info()

    def _info(self) -> dict[str, Any]:
        return {"player": self._players.copy(), "returns": self._returns.copy()}

    def _observation(self) -> Observation:
        vector, dtype = self._vector, self.table.seen
        numbers = vector.observe() if dtype == "raw" else vector.encode(dtype)
        seen = np.asarray(numbers).reshape(self.num_envs, -1)
        return {"observation": seen, "action_mask": self._masks.copy()}

    def action_masks(self) -> Any:
        """Return for each match and action whether it is legal."""
        return self._masks.astype(bool)
