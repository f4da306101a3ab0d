"""Games pass the test suites of other libraries, and the algorithms of these libraries find the known values."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from pettingzoo.test import api_test, seed_test

from rulewright.adapters.gymnasium import SeatEnv
from rulewright.adapters.openspiel import game_string
from rulewright.adapters.pettingzoo import RulewrightEnv, env
from rulewright.interpreter.bots.tree_search import Effort, think
from rulewright.interpreter.engines.chance import Generator
from tests.adapters.long_matches import soonest
from tests.games.variants import LIBRARY, LONG, SHIPPED
from tests.interpreter.engines.test_equivalent_pieces import CHESTS

SMALL = ["tic_tac_toe", "love_letter", "kuhn_poker", "goofspiel"]
EACH = [
    *SMALL,
    *(pytest.param(name, marks=pytest.mark.slow) for name in sorted({*SHIPPED} - {*SMALL, *LONG})),
    *(pytest.param(name, marks=pytest.mark.deep) for name in sorted({*LIBRARY, *LONG} - {*SMALL})),
]
"""Every shipped game; the two longest games and the games of the library only in `make deep`."""


@pytest.mark.parametrize("game", EACH)
def test_pettingzoo_accepts_every_shipped_game(game: str) -> None:
    with warnings.catch_warnings():
        # The library expects observations that are plain arrays, but its own games have masks in
        # dictionaries.
        warnings.simplefilter("ignore", UserWarning)
        api_test(env(game, render_mode="ansi"), num_cycles=60)
        seed_test(lambda: env(game), num_cycles=20)


@pytest.mark.parametrize("game", EACH)
def test_gymnasium_accepts_every_shipped_game(game: str) -> None:
    check_env(SeatEnv(game), skip_render_check=True)


def test_a_seat_against_bots() -> None:
    seat = SeatEnv("tic_tac_toe", seat=1, bot="greedy", render_mode="ansi")
    seen, _ = seat.reset(seed=1)
    assert int(seen["action_mask"].sum()) == 8
    total, over = 0.0, False
    while not over:
        action = int(np.flatnonzero(seat.action_masks())[0])
        seen, reward, over, cut_off, info = seat.step(action)
        assert not cut_off
        assert not info["wrong"]
        total += reward
    assert total in (-1.0, 0.0, 1.0)
    assert seat.render() is not None


@pytest.mark.parametrize("kind", [env, SeatEnv])
def test_a_position_as_pixels_changes_with_a_move(kind: Any) -> None:
    world = kind("tic_tac_toe", render_mode="rgb_array")
    world.reset(seed=1)
    before = world.render()
    world.step(4)
    after = world.render()
    assert before.dtype == np.uint8 and before.ndim == 3 and before.shape[2] == 3
    assert before.shape[0] > 100 and before.shape == after.shape
    assert (before != after).any()


def test_impossible_actions_cost_a_little() -> None:
    seat = SeatEnv("tic_tac_toe")
    seat.reset(seed=1)
    taken = int(np.flatnonzero(seat.action_masks())[0])
    seat.step(taken)
    _, reward, _, _, info = seat.step(taken)
    assert info["wrong"]
    assert reward == pytest.approx(-0.01)


@pytest.mark.parametrize("game", EACH)
def test_openspiel_accepts_every_shipped_game(game: str) -> None:
    loaded = pyspiel.load_game(game_string(game, engine=soonest(game)))
    pyspiel.random_sim_test(loaded, 1, serialize=True, verbose=False)


def _solve(game: str, rounds: int) -> tuple[float, float]:
    loaded = pyspiel.load_game("rulewright", {"game": game, "reward": "points", "keep": True})
    solver = cfr.CFRSolver(loaded)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(loaded.new_initial_state(), [policy, policy])[0]
    return float(value), float(exploitability.exploitability(loaded, policy))


def test_regret_minimisation_solves_kuhn_poker() -> None:
    """The value for the first player is -1/18 (Kuhn 1950)."""
    value, exploited = _solve("kuhn_poker", 150)
    assert value == pytest.approx(-1 / 18, abs=0.005)
    assert exploited < 0.01


@pytest.mark.deep
def test_regret_minimisation_solves_leduc_poker() -> None:
    """The value for the first player is about -0.0856 (Southey and others 2005, as OpenSpiel computes it)."""
    value, exploited = _solve("leduc_poker", 300)
    assert value == pytest.approx(-0.0856, abs=0.01)
    assert exploited < 0.05


@pytest.mark.parametrize(
    ("game", "playouts", "value", "off", "exploited"),
    [
        pytest.param("kuhn_poker", 600, -1 / 18, 0.01, 0.03, marks=pytest.mark.slow),
        pytest.param("leduc_poker", 5000, -0.0856, 0.02, 0.2, marks=pytest.mark.deep),
    ],
)
def test_search_comes_near_to_the_known_values(
    game: str, playouts: int, value: float, off: float, exploited: float
) -> None:
    """The strategy of the bot `mcts:600:points`: its value against itself, and the gain of the best responses to
    it."""
    loaded = pyspiel.load_game("rulewright", {"game": game, "reward": "points", "keep": True})
    effort = Effort(playouts=playouts, reward="points")

    def strategy(state: Any) -> dict[int, float]:
        rules = state.rules_state
        thought = think(rules, effort, Generator.seeded(1))
        total = sum(often for _, often, _ in thought.options)
        number = loaded.table.actions.number
        return {number(rules, option): often / total for option, often, _ in thought.options}

    played = policy.tabular_policy_from_callable(loaded, strategy)
    found = expected_game_score.policy_value(loaded.new_initial_state(), [played, played])[0]
    assert found == pytest.approx(value, abs=off)
    assert exploitability.exploitability(loaded, played) < exploited


def _features(seen: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The numbers of a position, each in one-hot form."""
    numbers = np.clip(seen["observation"], -1, 2)
    return np.concatenate([numbers == 1, numbers == 0, np.ones(1)]).astype(np.float64)


def _played_by(
    turns: RulewrightEnv, weights: np.ndarray[Any, Any], seat: int, random: np.random.Generator
) -> tuple[float, np.ndarray[Any, Any]]:
    """The return of a match against a random player, and the gradient of its choices."""
    turns.reset(seed=int(random.integers(2**31)))
    gradient, worth = np.zeros_like(weights), 0.0
    for agent in turns.agent_iter():
        seen, reward, terminated, truncated, _ = turns.last()
        mine = agent == turns.possible_agents[seat]
        if terminated or truncated:
            worth += reward if mine else 0.0
            turns.step(None)
            continue
        assert seen is not None
        allowed = np.flatnonzero(seen["action_mask"])
        if not mine:
            turns.step(int(random.choice(allowed)))
            continue
        features = _features(seen)
        hopes = weights[allowed] @ features
        chances = np.exp(hopes - hopes.max())
        chances /= chances.sum()
        place = int(random.choice(len(allowed), p=chances))
        gradient[allowed] -= np.outer(chances, features)
        gradient[allowed[place]] += features
        turns.step(int(allowed[place]))
    return worth, gradient


@pytest.mark.deep
def test_a_learner_gets_better_than_random() -> None:
    """Policy gradient with one layer, on Connect Four through PettingZoo, against a random player."""
    random = np.random.default_rng(1)
    turns = env("connect_four")
    turns.reset(seed=0)
    begun = turns.last()[0]
    assert begun is not None
    weights = np.zeros((7, len(_features(begun))))
    usual = 0.0
    for number in range(1500):
        worth, gradient = _played_by(turns, weights, number % 2, random)
        weights += 0.02 * (worth - usual) * gradient
        usual += (worth - usual) / 50
    worths = [_played_by(turns, weights, number % 2, random)[0] for number in range(200)]
    assert np.mean(worths) > 0.3


def test_options_of_the_same_words_are_distinguished(tmp_path: Path) -> None:
    """OpenSpiel wants different words for different actions of a state."""
    path = tmp_path / "chests.game"
    path.write_text(CHESTS, encoding="utf-8")
    loaded = pyspiel.load_game("rulewright", {"game": str(path)})
    state = loaded.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    words = [state.action_to_string(1, action) for action in state.legal_actions()]
    assert len({*words}) == len(words)
    assert any(word.endswith("fill(iron_chest)#2") for word in words)
    pyspiel.random_sim_test(loaded, 1, serialize=False, verbose=False)
