"""The large games at random: for each number of players and each variant they end, and everything stays accounted for.

What single rules do is said by the scenarios beside the games.
"""

from __future__ import annotations

from itertools import product

import pytest

from rulewright.interpreter.play import Play
from rulewright.interpreter.simulation import play_on
from tests.games.settings import game_named
from tests.games.test_random_games import check_pieces, check_values, tokens_of

Variants = tuple[tuple[int, dict[str, str]], ...]

VARIANTS: dict[str, Variants] = {
    "equilibris": (
        *((n, {"seating": word}) for n in (2, 3) for word in ("fixed", "drawn")),
        *(
            (4, {"seating": seating, "last_rounds": rounds})
            for seating, rounds in product(("fixed", "drawn"), ("by_dice", "simple"))
        ),
    ),
    "ginkgopolis": (
        *((1, {"hal_plays": word}) for word in ("normal", "expert")),
        *((n, {"characters": word}) for n in range(2, 6) for word in ("sets", "draft")),
    ),
}
LONGEST = 1000


SEEDS = (
    range(30),
    *(
        pytest.param(range(first, first + 97), marks=pytest.mark.deep)
        for first in range(30, 1000, 97)
    ),
)


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
@pytest.mark.parametrize(
    ("game", "players", "options"),
    [(game, *variant) for game, variants in VARIANTS.items() for variant in variants],
    ids=str,
)
def test_games_end(game: str, players: int, options: dict[str, str], seeds: range) -> None:
    for seed in seeds:
        play_through(game, players, options, seed)


def play_through(game: str, players: int, options: dict[str, str], seed: int) -> None:
    rules = game_named(game)
    setting = rules.setting(players, options)
    play = Play.begin(rules, setting, seed)
    play_on(play, ["random"] * rules.variant(setting).program.seats)
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
