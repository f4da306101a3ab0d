"""Ginkgopolis at random: for each number of players and each variant games end, and everything stays accounted for.

What single rules do is said by the scenarios beside the game.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.game import Setting
from rulewright.interpreter.play import Play
from rulewright.interpreter.simulation import play_on
from tests.games.settings import game_named
from tests.games.test_random_games import check_pieces, check_values, tokens_of

GAME = game_named("ginkgopolis")
VARIANTS = (
    *((1, {"hal_plays": word}) for word in ("normal", "expert")),
    *((n, {"characters": word}) for n in range(2, 6) for word in ("sets", "draft")),
)
FEW = range(15)
MANY = range(15, 500)
LONGEST = 1000


@pytest.mark.parametrize(("players", "options"), VARIANTS, ids=str)
def test_games_end(players: int, options: dict[str, str]) -> None:
    for seed in FEW:
        play_through(GAME.setting(players, options), seed)


@pytest.mark.deep
@pytest.mark.parametrize(("players", "options"), VARIANTS, ids=str)
def test_many_games_end(players: int, options: dict[str, str]) -> None:
    for seed in MANY:
        play_through(GAME.setting(players, options), seed)


def play_through(setting: Setting, seed: int) -> None:
    play = Play.begin(GAME, setting, seed)
    play_on(play, ["random"] * GAME.variant(setting).program.seats)
    assert play.state.over
    assert len(play.states) < LONGEST
    tokens = tokens_of(play.states[0])
    for number, state in enumerate(play.states):
        for words, holds in state.variant.program.invariants:
            assert state.variant.number(state.cells, holds), words
        if number % 20 == 0 or state.over:
            check_pieces(state)
            check_values(state)
            assert tokens_of(state) == tokens
    assert all(score.total >= 0 for score in play.state.scores)
