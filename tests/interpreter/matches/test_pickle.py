"""Games and states can be pickled, and are equal after unpickling."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.packing import FORMAT
from rulewright.interpreter.matches.state import State
from tests.interpreter.copied import copy_game
from tests.interpreter.handmade import cards


def start_match(engine: EngineName = "python", *, remember: bool = False) -> State:
    state = load_game("love_letter").start(players=3, seed=4, engine=engine, remember=remember)
    for _ in range(5):
        state = state.choose(state.decision.options[0])
    return state


@pytest.mark.parametrize("engine", ["python", "reference", "native"])
def test_a_state_is_what_it_was(engine: EngineName) -> None:
    state = start_match(engine)
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.compiled is state.compiled
    assert again.log == state.log and again.drawn == state.drawn
    option = state.decision.options[0].name
    assert again.choose(option) == state.choose(option)


def test_pickled_states_keep_their_past() -> None:
    state = start_match(remember=True)
    again = pickle.loads(pickle.dumps(state))
    assert again.past == state.past
    assert again.information(0) == state.information(0)


@pytest.mark.parametrize("remember", [False, True])
def test_equal_cells_are_packed_once(remember: bool) -> None:
    """Each state follows another one, and also holds the cells of that state."""
    state = start_match(remember=remember)
    packed = pickle.dumps(state)
    assert packed.count(FORMAT.encode()) == (6 if remember else 2)
    assert state.cells.tobytes() not in packed


def test_a_state_nobody_knows_the_way_to_stays_so() -> None:
    state = load_game("pig").playout(seed=3)
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.log == state.log == ()


def test_a_game_is_the_same_one() -> None:
    game = load_game("pig")
    again = pickle.loads(pickle.dumps(game))
    assert again is game
    assert repr(game) == "Game(name='pig')"


def test_other_processes_can_go_on(tmp_path: Path) -> None:
    state = start_match()
    path = tmp_path / "state.pickle"
    path.write_bytes(pickle.dumps((load_game("love_letter"), state)))
    program = (
        "import pickle, sys; game, state = pickle.load(open(sys.argv[1], 'rb')); "
        "print(game.title, state.decision.names, game.start(3, seed=4).decision.names)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    first = load_game("love_letter").start(3, seed=4)
    assert ran.stdout.strip() == f"Love Letter {state.decision.names} {first.decision.names}"


def test_rules_that_have_changed_are_not_taken_for_what_they_were(tmp_path: Path) -> None:
    path = copy_game("pig", tmp_path)
    text = path.read_text(encoding="utf-8")
    packed = pickle.dumps(load_game(path))
    path.write_text(text.replace("100", "50"), encoding="utf-8")
    with pytest.raises(pickle.UnpicklingError, match="have changed since"):
        pickle.loads(packed)


def test_a_game_without_a_file_cannot_be_packed() -> None:
    with pytest.raises(pickle.PicklingError, match="was not read from a file"):
        pickle.dumps(cards())


def test_a_state_is_packed_without_the_rules(tmp_path: Path) -> None:
    """The rules are read again from their file; a game without a file contains its program."""
    path = copy_game("pig", tmp_path)
    text = path.read_text(encoding="utf-8")
    state = load_game(path).start(seed=1).choose("roll")
    packed = pickle.dumps(state)
    assert b"turn_total" not in packed and len(packed) < 3000
    assert pickle.loads(packed) == state
    path.write_text(text.replace("100", "50"), encoding="utf-8")
    assert pickle.loads(packed) == state  # the game in memory has these rules
    del state
    gc.collect()
    with pytest.raises(pickle.UnpicklingError, match="have changed since"):
        pickle.loads(packed)
