"""The shipped games, the templates of `rulewright new` and the probes, with each number of players and each option."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import Game, Variant, load_game
from rulewright.interpreter.matches.library import shipped_games

TEMPLATES = Path(__file__).parents[2] / "games" / "templates"
PROBES = Path(__file__).parents[1] / "corpus" / "probes"
LIBRARY = {name: path for name, path in shipped_games().items() if path.parent.name == "library"}
"""The games of the library; `make test` tests them only in `test_library`."""
SHIPPED = tuple(name for name in shipped_games() if name not in LIBRARY)
"""The games that all tests go through."""
OTHERS = {path.stem: path for path in sorted([*PROBES.glob("*.game"), *TEMPLATES.glob("*/*.game")])}
EVERY_GAME = (*SHIPPED, *OTHERS)
LARGE = frozenset(name for name, path in shipped_games().items() if path.parent.name == name)
LONG = frozenset({"colonial", "through_the_ages"})
"""Games of which a match takes minutes in the reference; `test_colonial` and `test_through_the_ages` have the short
tests."""
MARKS = {True: [pytest.mark.slow], False: []}
IN_TURN = tuple(
    pytest.param(name, marks=[pytest.mark.deep] if name in LONG else MARKS[name in LARGE])
    for name in EVERY_GAME
)
"""Every game, the large ones as slow tests."""


@cache
def game_named(name: str) -> Game:
    """A shipped game, a template or a probe."""
    return load_game(OTHERS.get(name, name))


def variants(game: Game) -> Iterator[Variant]:
    """Each number of players with each combination of option values that is played."""
    for players, chosen in game.rules.variants(None, game.for_random_play()):
        yield game.variant(players, chosen)


def some_variants(game: Game) -> Iterator[Variant]:
    """Variants in which each number of players and each value of each option occurs at least once."""
    counts = range(game.facts.low, game.facts.high + 1)
    options = game.facts.options
    for number in range(max(len(counts), *(len(values) for _, values in options), 1)):
        chosen = {
            name: values[number % len(values)] for name, values in options
        } | game.for_random_play()
        players = counts[number % len(counts)]
        if game.rules.never(players, chosen) is None:
            yield game.variant(players, chosen)
        else:
            yield game.variant(players, game.for_random_play())


def few_variants(game: Game) -> Iterator[Variant]:
    """At most three of them, with the first and the last: in these `make test` plays whole matches."""
    found = list(some_variants(game))
    yield from (found[at] for at in sorted({0, len(found) // 2, len(found) - 1}))


def few_or_last(game: Game) -> Iterator[Variant]:
    """The last variant of a large game, few variants of another: three of a large game take seconds to compile."""
    return last_variant(game) if game.name in LARGE else few_variants(game)


def last_variant(game: Game) -> Iterator[Variant]:
    """The last of them."""
    (*_, last) = some_variants(game)
    yield last
