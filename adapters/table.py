"""The part that all adapters share: a variant, dense numbers of actions, observations, returns."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import attrs

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.knowledge.observers import Observer, observer_of
from rulewright.interpreter.matches.actions import Actions
from rulewright.interpreter.matches.game import Game, Variant, first_state, load_game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.requests import one_of
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.compiled_game import CompiledGame

Seen: TypeAlias = Literal["float32", "uint8", "raw"]
"""The numbers that learners observe: an encoding of either type, or plain numbers, some of them `HIDDEN`."""


@attrs.frozen(eq=False)
class Table:
    """A game with this many players and these options."""

    game: Game
    variant: Variant
    engine: EngineName = "python"
    reward: Reward = "wins"
    seen: Seen = "float32"

    @classmethod
    def of(
        cls,
        name: str | Path | Game,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        engine: EngineName = "python",
        reward: Reward = "wins",
        seen: Seen = "float32",
    ) -> Table:
        """Return the table for a game, given the game's name, its path, or the loaded game.

        Options that are not given get the values for random play (`Game.for_random_play`); `variant` holds
        all options. Shipped games are loaded only once.
        """
        one_of(seen, get_args(Seen), "an observation")
        one_of(reward, get_args(Reward), "a reward")
        game = name if isinstance(name, Game) else _load_cached(name)
        variant = game.variant(players, game.for_random_play(options))
        return cls(game, variant, engine, reward, seen)

    @cached_property
    def compiled(self) -> CompiledGame:
        """The compiled game."""
        return self.game.compiled(self.variant, self.engine)

    @cached_property
    def actions(self) -> Actions:
        """The numbers of all actions."""
        return Actions(self.compiled)

    @cached_property
    def observer(self) -> Observer:
        """The observer that turns states into numbers."""
        return observer_of(self.compiled)

    @property
    def size(self) -> int:
        """The length of an observation of a seat."""
        observer = self.observer
        return observer.size if self.seen == "raw" else observer.encoded_size

    def observe(self, state: State, seat: int) -> array[Any]:
        """Return the observation of a seat."""
        if self.seen == "raw":
            return self.observer.observe(state.cells, seat)
        return self.observer.encode(state.cells, seat, self.seen)

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats in the form that other libraries use."""
        return tuple(f"player_{seat}" for seat in range(self.compiled.program.seats))

    def start(self, seed: int, *, manual: bool = False, remember: bool = False) -> State:
        """Begin a match, and return its first decision."""
        return first_state(self.compiled, seed, "manual" if manual else "seeded", remember)

    def returns(self, state: State) -> list[float]:
        """Return the return of each seat (see `State.returns`)."""
        return state.returns(self.reward)


def _load_cached(name: str | Path) -> Game:
    """Load a game by name or path. Only shipped games are cached, because other files may change."""
    return _shipped(name) if isinstance(name, str) and name in shipped_games() else load_game(name)


_shipped = cache(load_game)
