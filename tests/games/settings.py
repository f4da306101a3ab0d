"""The shipped games and the probes, in every setting: each number of players, each option value."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

from rulewright.interpreter.game import Game, Setting, load_game
from rulewright.interpreter.library import shipped_games

PROBES = Path(__file__).parents[1] / "corpus" / "probes"
SHIPPED = tuple(shipped_games())
EVERY_GAME = (*SHIPPED, *(path.stem for path in sorted(PROBES.glob("*.game"))))


@cache
def game_named(name: str) -> Game:
    """A shipped game or a probe."""
    return load_game(name if name in SHIPPED else PROBES / f"{name}.game")


def settings(game: Game) -> Iterator[Setting]:
    """Each number of players with each combination of option values."""
    names = [name for name, _ in game.facts.options]
    for players in range(game.facts.low, game.facts.high + 1):
        for values in product(*(values for _, values in game.facts.options)):
            yield game.setting(players, dict(zip(names, values, strict=True)))
