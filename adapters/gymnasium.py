"""A Gymnasium environment for any game: one seat, and bots at the others. Needs the extra `gymnasium`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from rulewright.adapters.extras import missing
from rulewright.adapters.rendering import rendered
from rulewright.adapters.table import Table
from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import State

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as wrong:
    raise missing("an environment of Gymnasium", "gymnasium", wrong) from wrong

Observation: TypeAlias = dict[str, Any]

_LOW, _HIGH = -(2**31), 2**31 - 1
_SEEDS = 2**31


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """The plays of one seat against bots.

    Of actions that cannot be done the first that can is done instead, and the reward for it is `wrong`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"]}  # noqa: RUF012  # so does the library want it

    def __init__(
        self,
        game: str | Path | Game,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        seat: int = 0,
        bot: str = "random",
        engine: EngineName = "python",
        reward: Reward = "wins",
        longest: int = 10_000,
        wrong: float = -0.01,
        render_mode: str | None = None,
    ) -> None:
        self.table = Table.of(game, players, options, engine, reward)
        self.seat, self.longest, self.wrong = seat, longest, wrong
        self.render_mode = render_mode
        self._bot = bot_named(bot)
        count = len(self.table.actions)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(_LOW, _HIGH, (self.table.observer.size,), np.int32),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(count)
        self._state: State | None = None
        self._seed = self._made = 0

    @property
    def rules_state(self) -> State:
        """The state of the play."""
        if self._state is None:
            raise RuntimeError("call reset() first")
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new play, and let the bots play until it is the seat's turn."""
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(_SEEDS))
        self._made = 0
        self._go_on(self.table.start(self._seed, remember=True))
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do an action, and let the bots play until it is the seat's turn again."""
        state, actions = self.rules_state, self.table.actions
        offered = actions.offered(state)
        wrong = int(action) not in offered
        self._made += 1
        self._go_on(actions.take(state, offered[0] if wrong else int(action)))
        state = self.rules_state
        reward = self.table.returns(state)[self.seat] + (self.wrong if wrong else 0.0)
        cut_off = not state.over and self._made >= self.longest
        return self._observation(), float(reward), state.over, cut_off, {"wrong": wrong}

    def _go_on(self, state: State) -> None:
        while not state.over and state.player != self.seat and self._made < self.longest:
            state = state.take(self._bot(state, bot_generator(self._seed, self._made)))
            self._made += 1
        self._state = state

    def _observation(self) -> Observation:
        state = self.rules_state
        mine = not state.over and state.player == self.seat
        count = len(self.table.actions)
        mask = (
            np.frombuffer(self.table.actions.mask(state), np.int8).copy()
            if mine
            else np.zeros(count, np.int8)
        )
        seen = np.asarray(self.table.observer.observe(state.cells, self.seat), dtype=np.int32)
        return {"observation": seen, "action_mask": mask}

    def action_masks(self) -> Any:
        """For each action whether it can be done: the name under which learners look for it."""
        return self._observation()["action_mask"].astype(bool)

    def render(self) -> Any:
        """The position as the seat sees it: as text, or as an array of pixels, which needs vl-convert."""
        return rendered(self.rules_state, self.seat, self.render_mode)
