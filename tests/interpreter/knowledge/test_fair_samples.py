"""A guess depends only on what the player sees: states that look the same to a player give the same samples."""

from __future__ import annotations

import pytest

from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.state import State
from tests.games.variants import game_named

GAMES = {
    "colonial": 2,
    "equilibris": 2,
    "foxglove": 3,
    "ginkgopolis": 2,
    "leduc_poker": 2,
    "love_letter": 3,
    "night_market": 2,
    "through_the_ages": 2,
    "beetle_race": 2,
    "dyers": 2,
    "goofspiel": 2,
    "kiln": 2,
    "quay_street": 3,
    "skat": 3,
    "spades": 4,
}


def _decisions(game: str, players: int, longest: int = 60) -> list[State]:
    """Every fourth state of a random match, without its past."""
    state, found = game_named(game).start(players, seed=3), list[State]()
    for number in range(longest):
        if state.over:
            break
        if number % 4 == 0:
            found.append(state)
        state = state.take(choose_at_random(state, bot_generator(3, number)))
    return found


@pytest.mark.parametrize(("game", "players"), GAMES.items())
def test_states_that_look_the_same_give_the_same_samples(game: str, players: int) -> None:
    others = 0
    for number, state in enumerate(_decisions(game, players)):
        for player in {state.player, number % players}:
            expected = state.sample(player, 99)
            other = state.sample(player, number)
            others += other.cells != state.cells
            assert other.sample(player, 99).cells == expected.cells
    assert others
