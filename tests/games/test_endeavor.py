"""Endeavor at random: with any number of players and both orders of phases games end with everything accounted for.

What single rules do is said by the scenarios beside the game.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.game import Setting
from rulewright.interpreter.play import Play
from rulewright.interpreter.simulation import play_on
from tests.games.settings import game_named
from tests.games.test_random_games import check_pieces, check_values, tokens_of

GAME = game_named("endeavor")
VARIANTS = tuple(
    (players, {"phases": order}) for players in (3, 4, 5) for order in ("separate", "merged")
)
FEW = range(30)
MANY = tuple(range(first, min(first + 97, 1000)) for first in range(30, 1000, 97))
ROUNDS, DISCS, MOST_CARDS = 7, 30, 5
LONGEST = 500


@pytest.mark.parametrize(("players", "options"), VARIANTS, ids=str)
def test_games_end(players: int, options: dict[str, str]) -> None:
    for seed in FEW:
        play_through(GAME.setting(players, options), seed)


@pytest.mark.deep
@pytest.mark.parametrize("seeds", MANY, ids=str)
@pytest.mark.parametrize(("players", "options"), VARIANTS, ids=str)
def test_many_games_end(players: int, options: dict[str, str], seeds: range) -> None:
    for seed in seeds:
        play_through(GAME.setting(players, options), seed)


def play_through(setting: Setting, seed: int) -> None:
    play = Play.begin(GAME, setting, seed)
    play_on(play, ["random"] * setting.players)
    assert play.state.over
    assert len(play.states) < LONGEST
    begun = tokens_of(play.states[0])
    assert set(begun.values()) == {DISCS}
    for number, state in enumerate(play.states):
        for words, holds in state.variant.program.invariants:
            assert state.variant.number(state.cells, holds), words
        if number % 20 == 0 or state.over:
            check_pieces(state)
            check_values(state)
            assert tokens_of(state) == begun
    view = play.state.view(0)
    built = [zone.count for zone in view.zones if zone.place.name == "buildings"]
    assert built == [ROUNDS + 1] * setting.players
    cards = [
        zone.count or 0
        for zone in view.zones
        if zone.place.name == "cards" and zone.place.owner == "player"
    ]
    assert len(cards) == setting.players
    assert max(cards) <= MOST_CARDS
