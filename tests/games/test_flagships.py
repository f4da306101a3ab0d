"""The large games in random matches: they end in every variant, and no piece is lost.

The scenarios beside the games test single rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from rulewright.interpreter.matches.audit import box
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.views.view import ALL_SEEING
from tests.games.sound import assert_sound, broken_invariants
from tests.games.variants import game_named

Variants = tuple[tuple[int, dict[str, str]], ...]

VARIANTS: dict[str, Variants] = {
    "endeavor": tuple((n, {"phases": word}) for n in (3, 4, 5) for word in ("separate", "merged")),
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
LONG_VARIANTS: dict[str, Variants] = {
    "colonial": (
        *((n, {"variant": "base", "turn_limit": "8"}) for n in (4, 5, 6)),
        *((n, {"variant": "nations", "turn_limit": "8"}) for n in (2, 3, 4, 5)),
    ),
    "through_the_ages": tuple(
        (n, {"mode": mode, "resigning": "no"})
        for mode in ("full", "first_game", "shorter", "peaceful", "peaceful_with_pacts")
        for n in (2, 3, 4)
    ),
}
LONGEST = {
    "colonial": 4000,
    "endeavor": 500,
    "equilibris": 1000,
    "ginkgopolis": 1000,
    "through_the_ages": 3000,
}


SEEDS = (
    range(2),
    *(
        pytest.param(range(first, min(first + 71, 1000)), marks=pytest.mark.deep)
        for first in range(2, 1000, 71)
    ),
)


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        pytest.param(game, *compiled, marks=[pytest.mark.deep] if number % 3 else [])
        for game, variants in VARIANTS.items()
        for number, compiled in enumerate(variants)
    ],
    ids=str,
)
def test_games_end(game: str, players: int, options: dict[str, str], seeds: range) -> None:
    for seed in seeds:
        play_through(game, players, options, seed)


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        pytest.param(game, *compiled, marks=[pytest.mark.deep if number else pytest.mark.slow])
        for game, variants in LONG_VARIANTS.items()
        for number, compiled in enumerate(variants)
    ],
    ids=str,
)
def test_long_games_end(game: str, players: int, options: dict[str, str]) -> None:
    play_through(game, players, options, 1)


def play_through(game: str, players: int, options: dict[str, str], seed: int) -> None:
    rules = game_named(game)
    variant = rules.variant(players, options)
    match = Match.begin(rules, variant, seed)
    play_on(match, ["random"] * rules.compiled(variant).program.seats)
    assert match.state.over
    assert len(match.states) < LONGEST[game]
    for number, state in enumerate(match.states):
        assert broken_invariants(state) == []
        if number % 20 == 0 or state.over:
            assert_sound(state)
    assert all(score.total >= 0 for score in match.state.scores)
    if game == "endeavor":
        check_end_of_endeavor(match.state)


def check_end_of_endeavor(state: State) -> None:
    """Seven rounds with one building each, at most five cards, thirty discs of each color."""
    players = len(state.players)
    assert list(sizes_of(state, "buildings")) == [1 + 7] * players
    assert all(size <= 5 for size in sizes_of(state, "cards"))
    discs = box(state.compiled.program)
    assert discs == {("disc", player): 30 for player in range(players)}


def sizes_of(state: State, name: str) -> Iterator[int]:
    """The number of pieces in a zone of each player."""
    for zone in state.view(ALL_SEEING).zones:
        if zone.place.name == name and zone.place.owner == "player":
            yield len(zone.pieces)
