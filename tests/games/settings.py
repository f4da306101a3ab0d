"""The shipped games, the templates of `rulewright new` and the probes, with each number of players and each option."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from rulewright.interpreter.plays.game import Game, Setting, load_game
from rulewright.interpreter.plays.library import shipped_games

TEMPLATES = Path(__file__).parents[2] / "games" / "templates"
PROBES = Path(__file__).parents[1] / "corpus" / "probes"
SHIPPED = tuple(shipped_games())
OTHERS = {path.stem: path for path in sorted([*PROBES.glob("*.game"), *TEMPLATES.glob("*/*.game")])}
EVERY_GAME = (*SHIPPED, *OTHERS)
LARGE = frozenset(name for name, path in shipped_games().items() if path.parent.name == name)
IN_TURN = tuple(
    pytest.param(name, marks=pytest.mark.slow) if name in LARGE else name for name in EVERY_GAME
)
"""Every game, the large ones as slow tests."""


@cache
def game_named(name: str) -> Game:
    """A shipped game, a template or a probe."""
    return load_game(OTHERS.get(name, name))


def settings(game: Game) -> Iterator[Setting]:
    """Each number of players with each combination of option values."""
    names = [name for name, _ in game.facts.options]
    for players in range(game.facts.low, game.facts.high + 1):
        for values in product(*(values for _, values in game.facts.options)):
            yield game.setting(players, dict(zip(names, values, strict=True)))


def some_settings(game: Game) -> Iterator[Setting]:
    """Settings in which each number of players and each value of each option comes at least once."""
    counts = range(game.facts.low, game.facts.high + 1)
    options = game.facts.options
    for number in range(max(len(counts), *(len(values) for _, values in options), 1)):
        chosen = {name: values[number % len(values)] for name, values in options}
        yield game.setting(counts[number % len(counts)], chosen)
