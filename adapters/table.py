"""The part that all adapters share: a variant, dense numbers of actions, observations, returns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import attrs

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.knowledge.observers import Observer, observer_of
from rulewright.interpreter.matches.actions import Actions
from rulewright.interpreter.matches.game import Game, Variant, first_state, load_game
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.compiled_game import CompiledGame


@attrs.frozen(eq=False)
class Table:
    """A game with so many players and these options."""

    game: Game
    variant: Variant
    engine: EngineName = "python"
    reward: Reward = "wins"

    @classmethod
    def of(
        cls,
        name: str | Path | Game,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        engine: EngineName = "python",
        reward: Reward = "wins",
    ) -> Table:
        """The table for a game, by its name, its path, or loaded.

        Options that are not given are those of random play (`Game.for_random_play`); `variant` has them."""
        game = name if isinstance(name, Game) else load_game(name)
        variant = game.variant(players, game.for_random_play(options))
        return cls(game, variant, engine, reward)

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
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, as other libraries like them."""
        return tuple(f"player_{seat}" for seat in range(self.compiled.program.seats))

    def start(self, seed: int, *, manual: bool = False, remember: bool = False) -> State:
        """The first decision of a play."""
        return first_state(self.compiled, seed, "manual" if manual else "seeded", remember)

    def returns(self, state: State) -> list[float]:
        """The return of each seat (see `State.returns`)."""
        return state.returns(self.reward)
