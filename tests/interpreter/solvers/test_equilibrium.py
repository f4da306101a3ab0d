"""Strategies of small games with hidden information have the published values and exploitabilities."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright import RequestError, load_game
from rulewright.interpreter.solvers.equilibrium import Equilibrium, equilibrium
from rulewright.interpreter.solvers.whole_tree import TooLargeError
from tests.interpreter.bots.test_counterfactual_regret import PENNIES

METHODS = ("cfr", "cfr+", "external sampling")


def _solver(game: str | Path, method: Any, reward: Any = "points", **rest: Any) -> Equilibrium:
    loaded = load_game(game)
    return equilibrium(loaded.compiled(loaded.variant()), method, reward, **rest)


@cache
def _kuhn() -> Equilibrium:
    found = _solver("kuhn_poker", "cfr+")
    found.improve(2000)
    return found


def test_kuhn_poker_has_its_known_size_and_value() -> None:
    """12 information sets; -1/18 for the first player (Kuhn 1950); a random player loses 11/24 (OpenSpiel)."""
    found = _solver("kuhn_poker", "cfr")
    assert found.tree.sets == 12
    assert found.exploitability() == pytest.approx(11 / 24)
    assert _kuhn().values() == pytest.approx([-1 / 18, 1 / 18], abs=1e-4)
    assert _kuhn().best_answers() == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)
    assert _kuhn().exploitability() < 1e-4


@pytest.mark.slow
def test_leduc_poker_has_its_known_size_and_value() -> None:
    """9,457 positions, 936 information sets, 2.3736 for a random player, value -0.0856 (all as in OpenSpiel)."""
    found = _solver("leduc_poker", "cfr+")
    assert (found.tree.nodes, found.tree.sets) == (9457, 936)
    assert found.exploitability() == pytest.approx(2.373611, abs=1e-6)
    found.improve(400)
    assert found.values()[0] == pytest.approx(-0.0856, abs=1e-3)
    assert found.exploitability() < 0.003
    state = load_game("leduc_poker").start(seed=1, remember=True)
    for option in ("check", "raise", "call"):  # as `raise`, `call` looks
        state = state.choose(option)
    assert found.strategy(state) is not None
    assert found.strategy(state.with_cells(state.cells)) is None


@pytest.mark.parametrize("method", METHODS)
def test_python_and_native_code_add_up_the_same(method: Any) -> None:
    sums = []
    for native in (False, True):
        found = _solver("kuhn_poker", method, native=native)
        found.improve(30)
        sums.append((found.tree.regrets, found.tree.often, found.best_answers(), found.rounds))
    assert sums[0] == sums[1]


@pytest.mark.parametrize(("method", "rounds"), [("cfr", 3000), ("external sampling", 20000)])
def test_other_methods_come_near_to_an_equilibrium(method: Any, rounds: int) -> None:
    found = _solver("kuhn_poker", method, seed=7)
    before = found.exploitability()
    found.improve(rounds)
    assert found.exploitability() < before / 30
    assert found.values()[0] == pytest.approx(-1 / 18, abs=0.01)


def test_a_strategy_says_how_often_to_take_an_option() -> None:
    """The second player calls a bet with the king and never with the jack."""
    game, met = load_game("kuhn_poker"), set()
    for seed in range(30):
        state = game.start(seed=seed, remember=True).choose("bet")
        card = next(card for card in ("jack", "queen", "king") if card in str(state.view(1).zones))
        often = _kuhn().strategy(state)
        assert often is not None and sum(often.values()) == pytest.approx(1)
        call = often[state.decision.find("call")]
        met.add(card)
        assert {"jack": call < 0.01, "queen": 0.3 < call < 0.37, "king": call > 0.99}[card]
    assert len(met) == 3
    assert _kuhn().strategy(game.start(seed=1)) is not None
    manual = game.start(chance="manual", remember=True)
    while manual.at_chance:
        manual = manual.take(manual.option_ids[0])
    assert _kuhn().strategy(manual) is not None
    # The past is unknown here, but only one information set has this view.
    assert _kuhn().strategy(game.start(seed=1).choose("bet")) == _kuhn().strategy(
        game.start(seed=1, remember=True).choose("bet")
    )


def test_simultaneous_choices_stay_hidden_from_the_other(tmp_path: Path) -> None:
    path = tmp_path / "pennies.game"
    path.write_text(PENNIES, encoding="utf-8")
    found = _solver(path, "cfr", "wins")
    assert found.tree.sets == 2
    found.improve(100)
    assert found.values() == pytest.approx([0, 0])
    assert list(found.mean) == pytest.approx([0.5] * 4)


def test_large_games_and_unknown_methods_are_refused() -> None:
    with pytest.raises(TooLargeError, match="the tree of the game has more than 500 nodes"):
        _solver("leduc_poker", "cfr", most=500)
    with pytest.raises(RequestError, match="a method"):
        _solver("kuhn_poker", "guess")
