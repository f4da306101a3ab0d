"""Gymnasium environments for any game: the learner has one seat, and opponents have the others.

Needs the extra `gymnasium`. Importing this module registers the shipped games:
`gymnasium.make("rulewright/ConnectFour-v0")`. Without an import,
`gymnasium.make("rulewright.adapters.gymnasium:rulewright/ConnectFour-v0")` imports this module and makes
the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from rulewright.adapters.extras import missing
from rulewright.adapters.registered import id_of
from rulewright.adapters.rendering import render_state
from rulewright.adapters.rewards import Rewards, measure_of, reward_of
from rulewright.adapters.table import Seen, Table
from rulewright.interpreter.bots.simple import Bot
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import WrongArgumentError

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces

    from rulewright.adapters.observing import Observation, observation_of, space_of
    from rulewright.adapters.opponents import Opponents, begin_opponents, opponents_of
except ImportError as wrong:
    raise missing("an environment of Gymnasium", "gymnasium", wrong) from wrong

_SEEDS = 2**31
_OPPONENTS = 3  # the random stream from which the opponents of a match are drawn
Seat = int | Literal["random", "in turn"]


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """An environment in which one seat plays matches against opponents.

    An illegal action is replaced by the first legal action, with the reward `wrong`. With `seat="random"`
    or `seat="in turn"` the seat changes from match to match; `reset(options={"seat": 1})` sets the seat for
    one match.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"]}  # noqa: RUF012  # the library requires it

    def __init__(
        self,
        game: str | Path | Game,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        seat: Seat = 0,
        bot: Opponents = "random",
        engine: EngineName = "python",
        reward: Rewards = "wins",
        longest: int = 10_000,
        wrong: float = -0.01,
        observation: Seen = "float32",
        render_mode: str | None = None,
    ) -> None:
        self.table = Table.of(game, players, options, engine, measure_of(reward), observation)
        self.longest, self.wrong = longest, wrong
        self.render_mode = render_mode
        self._seats = len(self.table.seats)
        self._which = seat
        self.seat = seat if isinstance(seat, int) else 0
        if seat not in ("random", "in turn", *range(self._seats)):
            raise WrongArgumentError(f"a seat is 0 to {self._seats - 1}, `random` or `in turn`")
        self._opponents = opponents_of(bot, self._seats)
        self._bots: list[Bot] = []
        self._reward = reward_of(reward, self.table)
        self.observation_space = space_of(self.table)
        self.action_space = spaces.Discrete(len(self.table.actions))
        self._state: State | None = None
        self._seed = self._made = self._matches = 0

    @property
    def rules_state(self) -> State:
        """The state of the match; raises RuntimeError before the first reset."""
        if self._state is None:
            raise RuntimeError("call reset() first")
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new match, and let the opponents play until it is the seat's turn."""
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(_SEEDS))
        self._made = 0
        self.seat = self._next_seat((options or {}).get("seat"))
        self._matches += 1
        self._bots = begin_opponents(self._opponents, Generator.seeded(self._seed, _OPPONENTS))
        self._go_on(self.table.start(self._seed, remember=True))
        return self._observation(), {"seat": self.seat}

    def _next_seat(self, asked: int | None) -> int:
        if asked is not None:
            if asked not in range(self._seats):
                raise WrongArgumentError(f"a seat is 0 to {self._seats - 1}, not {asked!r:.40}")
            return asked
        if self._which == "random":
            return int(self.np_random.integers(self._seats))
        return self._matches % self._seats if self._which == "in turn" else self.seat_given

    @property
    def seat_given(self) -> int:
        """The seat of the learner if it is the same in every match, otherwise 0."""
        return self._which if isinstance(self._which, int) else 0

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the opponents play until it is the seat's turn again."""
        before, actions = self.rules_state, self.table.actions
        offered = actions.offered(before)
        wrong = int(action) not in offered
        self._made += 1
        self._go_on(actions.take(before, offered[0] if wrong else int(action)))
        state = self.rules_state
        reward = self._reward(before, state, self.seat) + (self.wrong if wrong else 0.0)
        cut_off = not state.over and self._made >= self.longest
        info = {"wrong": wrong, "seat": self.seat}
        return self._observation(), float(reward), state.over, cut_off, info

    def _go_on(self, state: State) -> None:
        while not state.over and state.player != self.seat and self._made < self.longest:
            bot = self._bots[state.player]
            state = state.take(bot(state, bot_generator(self._seed, self._made)))
            self._made += 1
        self._state = state

    def _observation(self) -> Observation:
        return observation_of(self.table, self.rules_state, self.seat)

    def action_masks(self) -> Any:
        """Return for each action whether it is legal. Learners expect this method name."""
        return self._observation()["action_mask"].astype(bool)

    def render(self) -> Any:
        """Draw the position as the seat sees it: as text, or as an array of pixels, which needs vl-convert."""
        return render_state(self.rules_state, self.seat, self.render_mode)


def _register() -> None:
    home = "rulewright.adapters"
    for game in shipped_games():
        gymnasium.register(
            id=id_of(game),
            entry_point=f"{home}.gymnasium:SeatEnv",
            vector_entry_point=f"{home}.gymnasium_vector:TurnsVectorEnv",
            kwargs={"game": game},
            disable_env_checker=True,
        )


_register()
