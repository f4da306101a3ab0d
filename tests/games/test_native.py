"""Random matches in native code, optimised as for users, equal those of generated Python."""

from __future__ import annotations

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.game import Game, Variant, playout
from rulewright.interpreter.views.compiled_game import CompiledGame
from tests.games.variants import (
    EVERY_GAME,
    IN_TURN,
    LARGE,
    game_named,
    some_variants,
    variants,
)

LONG = 20_000


def native(game: Game, variant: Variant, level: int = 2) -> tuple[CompiledGame, NativeEngine]:
    engine = NativeEngine(game.program(variant), level)
    return CompiledGame(game.program(variant), engine), engine


def keep_in_step(game: Game, variant: Variant, seeds: range) -> None:
    fast, engine = native(game, variant)
    known = game.compiled(variant)
    for seed in seeds:
        counts: tuple[list[int], list[int]] = [], []
        one = playout(fast, seed, LONG, counts[0])
        other = playout(known, seed, LONG, counts[1])
        assert one.cells == other.cells, seed
        assert one.counter == other.counter
        assert counts[0] == counts[1]
        assert one.cells[ir.OVER]
        assert one.scores == other.scores
        assert one.winners == other.winners
    assert engine.handed_over == 0, "what native code has given up, Python has done"


SOME = [
    *("breakthrough", "night_market", "p07_garden_walk"),
    *(pytest.param(name, marks=pytest.mark.deep) for name in sorted(LARGE)),
]


@pytest.mark.parametrize("name", SOME)
def test_native_code_plays_as_the_reference(name: str) -> None:
    game = game_named(name)
    keep_in_step(game, game.variant(game.facts.high, game.for_random_play()), range(10))


@pytest.mark.deep
@pytest.mark.parametrize("name", EVERY_GAME)
def test_native_code_plays_many_games_as_the_reference(name: str) -> None:
    game = game_named(name)
    for variant in variants(game):
        keep_in_step(game, variant, range(100, 104 if name in LARGE else 120))


@pytest.mark.deep
@pytest.mark.parametrize("name", IN_TURN)
def test_steps_with_their_options(name: str) -> None:
    """As a caller of single steps sees it: the options include those that a run has already found."""
    game = game_named(name)
    for variant in some_variants(game):
        fast, engine = native(game, variant)
        known = game.compiled(variant)
        for seed in range(3):
            states = [playout(compiled, seed, 0) for compiled in (fast, known)]
            for turn in range(400):
                assert states[0].cells == states[1].cells
                if states[0].over:
                    break
                options = states[0].option_ids
                assert options == states[1].option_ids == engine.options(states[0].cells)
                option = options[(7 * turn + seed) % len(options)]
                states = [state.take(option) for state in states]
        assert engine.handed_over == 0
