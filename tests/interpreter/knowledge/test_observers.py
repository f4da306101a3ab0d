"""Observations from native code equal those of Python, number by number."""

from __future__ import annotations

from array import array

import pytest

from rulewright import load_game
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.fastest import fastest
from tests.games.variants import SHIPPED, game_named

_SMALL = {
    "kalah": 2,
    "kuhn_poker": 2,
    "leduc_poker": 2,
    "love_letter": 3,
    "night_market": 3,
    "foxglove": 3,
}
_LARGE = {"endeavor": 3, "equilibris": 2, "ginkgopolis": 2, "colonial": 2, "through_the_ages": 2}
_NOTHING_HIDDEN = {"breakthrough", "connect_four", "pig", "reversi", "tic_tac_toe"}
_ALL = [*_SMALL.items(), *(pytest.param(*each, marks=pytest.mark.deep) for each in _LARGE.items())]


@pytest.mark.parametrize(("game", "players"), _ALL)
def test_native_observations_are_those_of_python(game: str, players: int) -> None:
    """At decisions, chance and ends, for the player who decides and for others."""
    loaded = game_named(game)
    compiled = fastest(loaded.compiled(loaded.variant(players)))
    assert isinstance(compiled.engine, NativeEngine)
    observer, expected = observer_of(compiled), array("i")
    states, watchers = array("i"), list[int]()
    for seed in range(2):
        generator, cells = Generator.seeded(seed), compiled.begin()
        for number in range(80):
            player = number % players if number % 2 else max(cells[4], 0)
            states.extend(cells)
            watchers.append(player)
            seen = observer.reference.observe(cells, player)
            assert observer.observe(cells, player) == seen
            expected.extend(seen)
            if cells[7]:
                break
            offered = compiled.options(cells)
            compiled.advance(cells, offered[generator.below(len(offered))])
    assert observer.observe_many(states, watchers) == expected
    assert observer.observe_many(states, watchers) == expected


def test_all_games_are_compared() -> None:
    """Every game with something hidden, or with pieces, is in a list above."""
    assert {*SHIPPED} == {*_SMALL, *_LARGE, *_NOTHING_HIDDEN}
    for game in _NOTHING_HIDDEN:
        loaded = game_named(game)
        compiled = loaded.compiled(loaded.variant(2))
        assert not compiled.viewer.has_secrets
        assert not compiled.program.links.pieces


def test_another_engine_observes_the_same() -> None:
    loaded = load_game("love_letter")
    compiled = loaded.compiled(loaded.variant(2), "python")
    cells = compiled.begin()
    expected = observer_of(compiled).observe(cells, 1)
    assert observer_of(compiled).observe_many(cells, [1]) == expected
    assert observer_of(compiled).reference.observe(cells, 1) == expected
