"""A sample depends only on the player's view: states that look the same to a player give the same samples."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.bots.simple import choose_at_random, choose_greedily
from rulewright.interpreter.bots.tree_search import Effort, think
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.view import as_text
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
            found.append(state.with_cells(state.cells))
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


DICE = """game "Cups"
    players 2
player
    state cup: 1..6, seen by owner
    state said: 0..6
setup
    each player
        roll n in 1..6
        set me.cup to n
play
    repeat 2 times
        each player
            choose one of
                option "say {n}" for n in 1..6
                    set me.said to n
                option "again"
                    roll n in 1..6
                    set me.cup to n
score of p
    item "cup" = p.cup
winner p by p.total then shared
"""


def test_a_secret_roll_is_drawn_again(tmp_path: Path) -> None:
    """Whatever the other player has rolled, the samples have the same numbers, equally often."""
    path = tmp_path / "cups.game"
    path.write_text(DICE, encoding="utf-8")
    game = game_of("cups.game", load(path))
    by_own: dict[str, set[tuple[bytes, ...]]] = {}
    truths = Counter[str]()
    for seed in range(60):
        state = game.start(seed=seed, remember=True).choose("say(3)")
        own, truth = (as_text(state.view(player)) for player in (1, 0))
        samples = [state.sample(1, number) for number in range(40)]
        assert {as_text(one.view(1)) for one in samples} == {own}
        by_own.setdefault(own, set()).add(tuple(one.cells.tobytes() for one in samples))
        guessed = {as_text(one.view(0)) for one in samples}
        assert len(guessed) == 6
        truths[truth] += 1
    assert len(truths) == 6
    assert len(by_own) == 6
    assert all(len(found) == 1 for found in by_own.values())


@pytest.mark.parametrize(
    ("game", "players"), [("love_letter", 2), ("night_market", 3), ("goofspiel", 2)]
)
def test_bots_choose_the_same_in_states_that_look_the_same(game: str, players: int) -> None:
    """The greedy bot takes the same option; a search tries each option equally often, with the same results."""
    for number, state in enumerate(_decisions(game, players, 20)):
        others = [state.sample(state.player, seed) for seed in (number, number + 1)]
        greedy = {choose_greedily(one, Generator.seeded(number)) for one in (state, *others)}
        assert len(greedy) == 1
        effort = Effort(playouts=24)
        thoughts = {think(one, effort, Generator.seeded(number)) for one in (state, *others)}
        assert len(thoughts) == 1


def test_bots_ignore_secret_rolls(tmp_path: Path) -> None:
    path = tmp_path / "cups.game"
    path.write_text(DICE, encoding="utf-8")
    game = game_of("cups.game", load(path))
    by_own: dict[str, set[int]] = {}
    for seed in range(40):
        state = game.start(seed=seed, remember=True).choose("say(3)")
        chosen = choose_greedily(state, Generator.seeded(1))
        by_own.setdefault(as_text(state.view(1)), set()).add(chosen)
    assert all(len(chosen) == 1 for chosen in by_own.values())
