"""Small games with hidden information are played by a strategy for the whole game."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.counterfactual_regret import is_small, regrets_of
from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.bots.tree_search import Effort, think
from rulewright.interpreter.engines.chance import Generator

PENNIES = """game "Pennies"
    players 2

kind Sign = heads, tails

player
    state sign: Sign = heads, seen by owner
    state points: 0..9

play
    together each player
        choose one of
            option "heads"
                set me.sign to heads
            option "tails"
                set me.sign to tails
    each player
        if openly((me.sign is me.left.sign) is (me.number is 1))
            add 1 to me.points

score of p
    item "points" = p.points

winner p by p.total
"""


@pytest.mark.parametrize("seed", range(3))
def test_predictable_players_mix_their_choices(tmp_path: Path, seed: int) -> None:
    """One player wants equal signs, the other different ones: the best strategy shows both equally often."""
    path = tmp_path / "pennies.game"
    path.write_text(PENNIES, encoding="utf-8")
    state = load_game(path).start()
    for _ in range(2):
        thought = think(state, Effort(playouts=300), Generator.seeded(seed))
        assert thought.confidence == pytest.approx(0.5, abs=0.05)
        assert thought.value == pytest.approx(0.5, abs=0.05)
        bot = bot_named("mcts:300")
        chosen = [bot(state, Generator.seeded(seed, n)) for n in range(100)]
        assert 25 < chosen.count(state.option_ids[0]) < 75
        state = state.choose("heads")


@pytest.mark.parametrize(
    ("game", "small"),
    [
        ("kuhn_poker", True),
        ("leduc_poker", True),
        ("love_letter", False),
        ("night_market", False),
        ("tic_tac_toe", False),
        ("pig", False),
    ],
)
def test_only_small_games_with_secrets_are_solved(game: str, small: bool) -> None:
    """Games without hidden information are left to the tree search, however small they are."""
    loaded = load_game(game)
    assert is_small(loaded.compiled(loaded.variant())) == small


def test_short_searches_do_not_reuse_longer_ones() -> None:
    state = load_game("kuhn_poker").start(seed=1)
    thoughts = [think(state, Effort(playouts), Generator.seeded(1)) for playouts in (1, 400, 1)]
    assert thoughts[0] == thoughts[2] != thoughts[1]


def test_a_king_is_always_called_and_a_jack_never() -> None:
    game, met = load_game("kuhn_poker"), set()
    compiled = game.compiled(game.variant())
    solved = regrets_of(compiled, "points", 2000)
    assert solved is not None
    while solved.walks < 2000:
        solved.go_on(100)
    for seed in range(30):
        state = game.start(seed=seed, remember=True).choose("bet")
        card = next(card for card in ("jack", "queen", "king") if card in str(state.view(1).zones))
        often = {one.option: one.often for one in solved.advice(state) or ()}
        call = often[state.decision.find("call")]
        met.add(card)
        assert {"jack": call == 0, "queen": 0.2 < call < 0.5, "king": call == 1}[card]
    assert len(met) == 3


def test_advice_needs_no_history_if_the_state_shows_it() -> None:
    """In Kuhn poker the chips show the earlier actions."""
    game = load_game("kuhn_poker")
    state = game.start(seed=1, remember=True).choose("check").choose("bet")
    solved = regrets_of(state.compiled, "wins", 10)
    assert solved is not None
    while solved.walks < 10:
        solved.go_on(10)
    assert solved.advice(state) is not None
    assert solved.advice(state.with_cells(state.cells)) == solved.advice(state)
