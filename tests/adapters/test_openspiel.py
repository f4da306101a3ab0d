"""The interface to OpenSpiel: types and texts of games, and states that a player cannot tell from the true one."""

from __future__ import annotations

import random
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.python.algorithms import ismcts, mcts, minimax
from open_spiel.python.observation import make_observation

from rulewright import RequestError, load_game
from rulewright.adapters.openspiel import game_string
from rulewright.adapters.setting_text import options_of, options_text
from rulewright.interpreter.knowledge.information_set import (
    added_knowledge,
    first_knowledge,
    information,
)
from rulewright.interpreter.matches.library import shipped_games
from tests.adapters.long_matches import soonest

NIM = """game "Nim"
    players 2

option size = 3, 5

state heap: 0..5

setup
    set heap to size

play
    repeat
        each player
            surely choose how_many in 1..2 where how_many <= heap prompt "how many?"
            lose how_many from heap
            if heap is 0
                win me
                end game
"""


def _with_last_options(game: str) -> str:
    """The text that loads a game with the last value of each option that random play does not set."""
    facts = load_game(game).facts
    last = {name: values[-1] for name, values in facts.options}
    options = last | dict(facts.random_play)
    return game_string(game, options=options, engine=soonest(game))


WITH_OPTIONS = [
    name
    for name, path in shipped_games().items()
    if re.search("^option ", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(
            name,
            marks=pytest.mark.slow if name in ("connect_four", "ginkgopolis") else pytest.mark.deep,
        )
        for name in WITH_OPTIONS
    ],
)
def test_games_with_options_can_be_saved_and_loaded(game: str) -> None:
    loaded = pyspiel.load_game(_with_last_options(game))
    pyspiel.random_sim_test(loaded, 1, serialize=True, verbose=False)


names = st.text(min_size=1, max_size=8)


@given(st.dictionaries(names, st.text(max_size=8), max_size=3))
def test_options_as_text_are_read_back(options: dict[str, str]) -> None:
    text = options_text(options)
    assert options_of(text) == options
    assert not {*text} & set("=,()+\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a=1", "options are written as `name:value;name:value`, and not as `a=1`"),
        (":1", "options are written as `name:value;name:value`, and not as `:1`"),
        ("a:1;a:2", "the option `a` is given twice in `a:1;a:2`"),
    ],
)
def test_options_in_another_form_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        options_of(text)


def test_a_path_with_signs_is_loaded_from_a_text(tmp_path: Path) -> None:
    path = tmp_path / "a=b,(c) +1.game"
    path.write_text(NIM, encoding="utf-8")
    text = game_string(str(path), 2, {"size": "5"}, reward="points")
    loaded = pyspiel.load_game(text)
    state = loaded.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    again, state_again = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(loaded, state)
    )
    assert str(again) == str(loaded)
    assert str(state_again) == str(state)


@pytest.mark.parametrize(
    ("text", "chance", "information", "utility"),
    [
        ("game=tic_tac_toe", "DETERMINISTIC", "PERFECT_INFORMATION", "ZERO_SUM"),
        ("game=pig", "EXPLICIT_STOCHASTIC", "PERFECT_INFORMATION", "ZERO_SUM"),
        ("game=kuhn_poker", "EXPLICIT_STOCHASTIC", "IMPERFECT_INFORMATION", "ZERO_SUM"),
        ("game=equilibris,players=4", "EXPLICIT_STOCHASTIC", "IMPERFECT_INFORMATION", "ZERO_SUM"),
    ],
)
def test_types_are_those_of_the_rules(
    text: str, chance: str, information: str, utility: str
) -> None:
    kind = pyspiel.load_game(f"rulewright({text})").get_type()
    assert kind.chance_mode.name == chance
    assert kind.information.name == information
    assert kind.utility.name == utility


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game=no_game", "there is no file or shipped game `no_game`"),
        ("game=connect_four,reward=money", "a reward is 'wins' or 'points', not 'money'"),
        ("game=connect_four,options=columns:99", "the option `columns` is 7 or 3 or"),
        ("game=leduc_poker,players=9", "Leduc Poker is for 2 players, not 9"),
    ],
)
def test_wrong_settings_are_refused(text: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        pyspiel.load_game(f"rulewright({text})")


def test_players_on_one_side_have_the_same_returns(tmp_path: Path) -> None:
    path = tmp_path / "together.game"
    text = NIM.replace("players 2\n", "players 1..2\n")
    text += "\nkind Crew = sailors\nside of p: Crew = sailors\n"
    path.write_text(text, encoding="utf-8")
    for players, utility in ((1, "GENERAL_SUM"), (2, "IDENTICAL")):
        loaded = pyspiel.load_game(game_string(str(path), players))
        assert loaded.get_type().utility.name == utility
        assert loaded.utility_sum() is None


def test_alpha_beta_solves_a_game_that_hides_nothing() -> None:
    loaded = pyspiel.load_game("rulewright(game=tic_tac_toe)")
    state = loaded.new_initial_state()
    for action in (0, 1):  # a corner, and an edge beside it: lost
        state.apply_action(action)
    value, _ = minimax.alpha_beta_search(loaded, state=state, maximizing_player_id=0)
    assert value == 1


def _values(monkeypatch: pytest.MonkeyPatch, text: str) -> dict[str, float]:
    # The module imports a solver of linear programs, which games with simultaneous moves need.
    monkeypatch.setitem(sys.modules, "cvxpy", MagicMock())
    from open_spiel.python.algorithms import value_iteration  # noqa: PLC0415

    loaded = pyspiel.load_game(text)
    found: dict[str, float] = value_iteration.value_iteration(loaded, -1, 1e-6)
    assert str(loaded.new_initial_state()) in found
    return found


def test_value_iteration_solves_a_game_that_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "nim.game"
    path.write_text(NIM, encoding="utf-8")
    found = _values(monkeypatch, game_string(str(path), options={"size": "5"}))
    assert {*found.values()} == {-1.0, 1.0}
    start = pyspiel.load_game(game_string(str(path), options={"size": "5"})).new_initial_state()
    assert found[str(start)] == 1  # takes 2, and leaves a multiple of 3


@pytest.mark.deep
def test_value_iteration_knows_each_position_of_tic_tac_toe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = _values(monkeypatch, "rulewright(game=tic_tac_toe)")
    start = pyspiel.load_game("rulewright(game=tic_tac_toe)").new_initial_state()
    assert len(found) == 5478
    assert found[str(start)] == 0


def test_tensors_with_perfect_recall_are_refused() -> None:
    loaded = pyspiel.load_game("rulewright(game=leduc_poker)")
    state = _at_decision(loaded, 2)
    observation: Any = make_observation(loaded, pyspiel.IIGObservationType(perfect_recall=True))
    assert observation.tensor is None
    assert observation.string_from(state, 0) == state.information_state_string(0)
    with pytest.raises(ValueError, match="is given as text, not as a tensor"):
        observation.set_from(state, 0)
    now: Any = make_observation(loaded, pyspiel.IIGObservationType(perfect_recall=False))
    now.set_from(state, 0)
    assert now.tensor.any()


def _at_decision(loaded: Any, decisions: int, seed: int = 3) -> Any:
    """The state after this many decisions, and after all chance before the next one."""
    at, drawn = loaded.new_initial_state(), random.Random(seed)
    while decisions or at.is_chance_node():
        if not at.is_chance_node():
            decisions -= 1
        offered = at.legal_actions()
        at.apply_action(drawn.choice(offered))
    return at


@pytest.mark.parametrize(
    ("game", "decisions", "others"),
    [
        ("kuhn_poker", 1, 2),
        ("leduc_poker", 1, 5),
        ("love_letter", 2, 3),
        ("night_market", 3, 3),
    ],
)
def test_samples_look_the_same_to_who_asks(game: str, decisions: int, others: int) -> None:
    loaded = pyspiel.load_game(f"rulewright(game={game})")
    state, drawn = _at_decision(loaded, decisions), random.Random(1)
    me = state.current_player()
    seen = set()
    for _ in range(30):
        sample = state.resample_from_infostate(me, drawn.random)
        assert sample.information_state_string(me) == state.information_state_string(me)
        assert sample.legal_actions() == state.legal_actions()
        seen.add(sample.observation_string(1 - me))
        after = sample.child(sample.legal_actions()[0])
        assert after.information_state_string(me).startswith(state.information_state_string(me))
    assert len(seen) >= others


def test_samples_of_small_games_have_histories() -> None:
    loaded = pyspiel.load_game("rulewright(game=leduc_poker)")
    state, drawn = _at_decision(loaded, 3), random.Random(1)
    sample = state.resample_from_infostate(state.current_player(), drawn.random)
    again = loaded.new_initial_state()
    for action in sample.history():
        again.apply_action(action)
    assert str(again) == str(sample)


def test_search_over_information_sets_runs() -> None:
    loaded = pyspiel.load_game("rulewright(game=kuhn_poker,reward=points)")
    state = loaded.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    bot = ismcts.ISMCTSBot(
        loaded,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        2.0,
        50,
        random_state=np.random.RandomState(1),
    )
    assert sum(often for _, often in bot.get_policy(state)) == pytest.approx(1)


@pytest.mark.parametrize("game", ["love_letter", "night_market", "reversi"])
def test_information_grows_by_events_that_give_the_view_again(game: str) -> None:
    start = load_game(game).start(seed=2, remember=True)
    way = [start]
    for _ in range(12):
        way.append(way[-1].take(way[-1].option_ids[-1]))
    for player in range(len(start.players)):
        parts, seen = first_knowledge(way[0], player)
        read = dict(line.split(" = ", 1) for line in parts if " = " in line)
        for before, after in pairwise(way):
            events, seen = added_knowledge(before, after, player, seen)
            parts += events
            for line in events:
                name, gives, text = line.partition(" = ")
                if gives:
                    read[name] = text
                elif line.endswith(" is not shown any more"):
                    del read[line.removesuffix(" is not shown any more")]
            assert read == seen
        assert information(way, player) == "\n".join(parts)
        whole = sum(len(first_knowledge(one, player)[1]) for one in way)
        assert sum(" = " in line for line in parts) < whole / 2


def test_clones_know_what_their_match_was_until_then() -> None:
    """The text of a later state continues that of an earlier one, and each clone has its own."""
    state = pyspiel.load_game("rulewright(game=leduc_poker)").new_initial_state()
    clones = []
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
        state.information_state_string(0)
        clones.append(state.clone())
    for clone in (*reversed(clones), *clones):
        rules = clone.rules_state
        for player in (0, 1):
            known = clone.information_state_string(player)
            assert known == information((*rules.past, rules), player)
