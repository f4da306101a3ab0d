"""Environments: names and versions, opponents, custom rewards, and steps of many matches at once."""

from __future__ import annotations

import importlib
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test

from rulewright import Generator, RequestError, State, load_game
from rulewright.adapters import pettingzoo
from rulewright.adapters.gymnasium import SeatEnv
from rulewright.adapters.gymnasium_vector import TurnsVectorEnv
from rulewright.adapters.opponents import PastSelves, bot_of
from rulewright.adapters.registered import id_of, names
from rulewright.adapters.table import Seen, Table
from tests.interpreter.bots.test_counterfactual_regret import PENNIES


def _first(seen: dict[str, Any]) -> int:
    return int(seen["action_mask"].argmax())


def _last(seen: dict[str, Any]) -> int:
    return int(np.flatnonzero(seen["action_mask"])[-1])


def _play_episode(world: Any, policy: Any, seed: int, **options: Any) -> tuple[float, list[float]]:
    seen, _ = world.reset(seed=seed, options=options)
    rewards, over = [], False
    while not over:
        seen, reward, over, _, _ = world.step(policy(seen))
        rewards.append(reward)
    return sum(rewards), rewards


def test_each_shipped_game_has_a_name_in_gymnasium() -> None:
    for game, _ in names():
        assert id_of(game) in gymnasium.registry
    world = gymnasium.make("rulewright/KuhnPoker-v0", reward="points")
    check_env(world.unwrapped, skip_render_check=True)
    world.close()


def test_the_long_name_needs_no_import() -> None:
    code = (
        "import gymnasium\n"
        "world = gymnasium.make('rulewright.adapters.gymnasium:rulewright/TicTacToe-v0')\n"
        "world.reset(seed=1)\n"
        "print(world.spec.id)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.stdout.strip() == "rulewright/TicTacToe-v0", ran.stderr


def test_modules_of_pettingzoo_are_imported_by_name() -> None:
    module = importlib.import_module("rulewright.adapters.pettingzoo").connect_four_v0
    turns = module.env(render_mode="ansi")
    turns.reset(seed=1)
    assert turns.observe("player_0")["action_mask"].sum() == 7
    assert turns.state_space.contains(turns.state())
    before = turns.state()
    turns.step(3)
    assert (turns.state() != before).any()
    with pytest.raises(AttributeError, match="connect_five_v0"):
        importlib.import_module("rulewright.adapters.pettingzoo").connect_five_v0  # noqa: B018


@pytest.mark.parametrize("game", ["love_letter", "connect_four"])
def test_parallel_environments_pass_the_test_of_pettingzoo(game: str) -> None:
    parallel_api_test(pettingzoo.parallel_env(game), num_cycles=60)


def test_simultaneous_players_decide_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "pennies.game"
    path.write_text(PENNIES, encoding="utf-8")
    world = pettingzoo.parallel_env(path)
    seen, infos = world.reset(seed=1)
    assert all(info["decides"] for info in infos.values())
    assert all(one["action_mask"].sum() == 2 for one in seen.values())
    with pytest.raises(ValueError, match="player_1 decides now, but has no action"):
        world.step({"player_0": 0})
    _, rewards, over, _, _ = world.step({"player_0": 0, "player_1": 0})
    assert all(over.values()) and not world.agents
    assert rewards == {"player_0": 1.0, "player_1": -1.0}


def test_nothing_of_what_one_chooses_is_in_what_the_others_see(tmp_path: Path) -> None:
    path = tmp_path / "pennies.game"
    path.write_text(PENNIES, encoding="utf-8")
    start = load_game(path).start()
    seen = {
        (bytes(state.observe(1)), bytes(Table.of(path).actions.mask(state)))
        for state in (start.choose("heads"), start.choose("tails"))
    }
    assert len(seen) == 1


@pytest.mark.parametrize("engine", ["python", "native"])
def test_many_matches_give_what_single_ones_do(engine: Any) -> None:
    vector = TurnsVectorEnv("connect_four", 3, engine=engine)
    table = Table.of("connect_four")
    seen, info = vector.reset(seed=5)
    assert vector.observation_space.contains(seen)
    states = [table.start(5 + n) for n in range(3)]
    finals = 0
    for number in range(60):
        actions = np.array(
            [
                np.flatnonzero(mask)[number % mask.sum()] if mask.any() else 0
                for mask in seen["action_mask"]
            ]
        )
        acted = info["player"]
        seen, rewards, over, cut_off, info = vector.step(actions)
        assert not cut_off.any()
        for slot, before in enumerate(states):
            if before.over:
                state = table.start(5)
                assert rewards[slot] == 0
            else:
                state = table.actions.take(before, int(actions[slot]))
            states[slot] = state
            assert bool(over[slot]) == state.over
            assert list(seen["observation"][slot]) == list(state.encode(max(state.player, 0)))
            if state.over:
                finals += 1
                assert list(info["returns"][slot]) == state.returns()
                assert rewards[slot] == state.returns()[acted[slot]]
                assert not seen["action_mask"][slot].any()
    assert finals > 3


def test_a_vector_has_a_name() -> None:
    vector = gymnasium.make_vec("rulewright/TicTacToe-v0", num_envs=4)
    assert isinstance(vector, TurnsVectorEnv)
    vector.reset(seed=1)
    assert vector.step(np.zeros(4, np.int64))[0]["observation"].shape[0] == 4
    vector.close()


def test_an_opponent_may_be_a_function() -> None:
    asked: list[int] = []

    def first(state: State, generator: Generator) -> int:
        asked.append(state.player)
        return state.option_ids[0]

    # Each player fills one column: the first column wins for me if the opponent continues with
    # another.
    total, _ = _play_episode(SeatEnv("connect_four", bot={1: first}), _first, 1)
    assert asked and {*asked} == {1}
    again, _ = _play_episode(SeatEnv("connect_four", bot=first), _first, 1)
    assert total == again


def test_a_policy_may_be_an_opponent() -> None:
    table = Table.of("tic_tac_toe")
    first, last = bot_of(table, _first), bot_of(table, _last)
    # The first free square against the last one: each fills its own row, and the first player is
    # faster.
    assert _play_episode(SeatEnv("tic_tac_toe", bot=last), _first, 1)[0] == 1.0
    assert _play_episode(SeatEnv("tic_tac_toe", bot=last, seat=1), _first, 1)[0] == -1.0
    assert _play_episode(SeatEnv("tic_tac_toe", bot=first), _last, 1)[0] == 1.0
    wrong = bot_of(table, lambda seen: 99)
    with pytest.raises(ValueError, match="the policy chose action 99"):
        _play_episode(SeatEnv("tic_tac_toe", bot=wrong), _first, 1)


@pytest.mark.parametrize(("seat", "wanted"), [(1, {1}), ("in turn", {0, 1}), ("random", {0, 1})])
def test_seats_may_change(seat: Any, wanted: set[int]) -> None:
    world = SeatEnv("tic_tac_toe", seat=seat)
    seats = [world.reset(seed=1 if n == 0 else None)[1]["seat"] for n in range(12)]
    assert {*seats} == wanted
    assert world.reset(options={"seat": 0})[1]["seat"] == 0
    assert world.reset(options={"seat": 1})[0]["action_mask"].sum() == 8
    if seat == "in turn":
        assert seats == [0, 1] * 6


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seat": 2}, "a seat is 0 to 1, `random` or `in turn`"),
        ({"bot": "clever"}, "there is no bot `clever`"),
        ({"bot": 7}, "an opponent is the name of a bot or a function, not 7"),
        ({"bot": {3: "random"}}, "there is no seat 3: seats are 0 to 1"),
        ({"reward": "money"}, "a reward is `wins`, `points`, `points each step` or a function"),
    ],
)
def test_wrong_settings_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        SeatEnv("tic_tac_toe", **given)


def test_points_of_each_step_add_up_to_the_points() -> None:
    at_end, _ = _play_episode(SeatEnv("kalah", reward="points"), _first, 3)
    total, rewards = _play_episode(SeatEnv("kalah", reward="points each step"), _first, 3)
    assert total == at_end
    assert sum(reward != 0 for reward in rewards) > 3


def _stones(before: State, after: State, seat: int) -> float:
    return after.scores.totals[seat] - before.scores.totals[seat]


def _of_all_seats(turns: Any) -> dict[str, list[float]]:
    """The rewards of each seat, by step, in a match of first actions."""
    turns.reset(seed=3)
    found: dict[str, list[float]] = {agent: [] for agent in turns.agents}
    while turns.agents:
        seen = {agent: turns.observe(agent) for agent in turns.agents}
        turns.step(_first(seen[turns.agent_selection]))
        for agent, rewards in found.items():
            rewards.append(turns.rewards.get(agent, 0.0))
        if any(turns.terminations.values()):
            break
    return found


def _in_parallel(world: Any) -> dict[str, list[float]]:
    seen, infos = world.reset(seed=3)
    found: dict[str, list[float]] = {agent: [] for agent in world.agents}
    while world.agents:
        actions = {agent: _first(seen[agent]) for agent in seen if infos[agent]["decides"]}
        seen, rewards, _, _, infos = world.step(actions)
        for agent, reward in rewards.items():
            found[agent].append(reward)
    return found


def test_all_seats_have_the_rewards_that_one_seat_has() -> None:
    at_end = _of_all_seats(pettingzoo.env("kalah", reward="points"))
    each = _of_all_seats(pettingzoo.env("kalah", reward="points each step"))
    own = _of_all_seats(pettingzoo.env("kalah", reward=_stones))
    for agent, rewards in each.items():
        assert not any(at_end[agent][:-1])
        assert sum(rewards) == at_end[agent][-1]
        assert sum(reward != 0 for reward in rewards) > 3
    assert sum(own["player_0"]) - sum(own["player_1"]) == 2 * at_end["player_0"][-1]
    assert _in_parallel(pettingzoo.parallel_env("kalah", reward="points each step")) == each
    with pytest.raises(RequestError, match="a reward is `wins`"):
        pettingzoo.env("kalah", reward="money")  # type: ignore[arg-type]  # it is wrong


def test_a_reward_may_be_a_function() -> None:
    world = SeatEnv("kalah", reward=_stones)
    total, _ = _play_episode(world, _first, 3)
    assert total == world.rules_state.scores.totals[0]


def test_past_selves_are_met_as_often_as_they_should() -> None:
    table = Table.of("tic_tac_toe")
    past = PastSelves(table, latest=0.5, most=3)
    total, _ = _play_episode(SeatEnv("tic_tac_toe", bot=past), _first, 1)
    assert total in (-1.0, 0.0, 1.0)  # against a random bot, because there is no other
    met: list[int] = []

    def policy(number: int, seen: dict[str, Any]) -> int:
        met.append(number)
        return _first(seen)

    for number in range(4):
        past.add(partial(policy, number))
    assert len(past) == 3
    world = SeatEnv("tic_tac_toe", bot=past)
    opponents = []
    for seed in range(80):
        met.clear()
        _play_episode(world, _last, seed)
        assert len({*met}) == 1  # the same one in a whole match
        opponents.append(met[0])
    assert {*opponents} == {1, 2, 3}
    assert 25 < opponents.count(3) < 55


@pytest.mark.parametrize(
    ("seen", "kind", "size"),
    [("float32", "float32", 37), ("uint8", "uint8", 37), ("raw", "int32", 23)],
)
def test_observations_can_be_plain_or_encoded(seen: Seen, kind: str, size: int) -> None:
    """Learners get encodings from 0 to 1; others still get the plain numbers."""
    seat = SeatEnv("tic_tac_toe", observation=seen)
    turns = pettingzoo.env("tic_tac_toe", observation=seen)
    turns.reset(seed=1)
    many = TurnsVectorEnv("tic_tac_toe", 2, observation=seen)
    for found in (seat.reset(seed=1)[0], turns.observe("player_0"), many.reset(seed=1)[0]):
        assert found["observation"].dtype == kind
        assert found["observation"].shape[-1] == size
    assert seat.observation_space.contains(seat.reset(seed=1)[0])


def test_environments_share_a_shipped_game_and_start_differently() -> None:
    first, second = pettingzoo.env("love_letter"), pettingzoo.env("love_letter")
    assert first.table.game is second.table.game
    for turns in (first, second):
        turns.reset()
    assert first._seed != second._seed
