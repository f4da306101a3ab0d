"""States are equal whoever has loaded the game, and their bytes stay the same across versions."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import load_game
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import parse_records, record_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import BrokenStateError
from tests.interpreter.copied import copy_game

GAMES = ("connect_four", "pig", "love_letter", "night_market", "kalah")


@cache
def _loads(name: str) -> tuple[Game, Game]:
    return load_game(name), load_game(name)


def _play_steps(game: Game, seed: int, far: int, *, manual: bool = False) -> State:
    state = game.start(seed=seed, chance="manual" if manual else "seeded")
    for made in range(far):
        if state.over:
            break
        state = state.take(choose_at_random(state, bot_generator(seed, made)))
    return state


@given(st.sampled_from(GAMES), st.integers(0, 2**40), st.integers(0, 30), st.booleans(), st.data())
def test_two_loads_give_equal_states(
    name: str, seed: int, far: int, manual: bool, data: st.DataObject
) -> None:
    mine, theirs = (_play_steps(game, seed, far, manual=manual) for game in _loads(name))
    assert mine.compiled is not theirs.compiled
    assert mine == theirs and hash(mine) == hash(theirs)
    assert mine.to_bytes() == theirs.to_bytes()
    again = _loads(name)[1].state(mine.to_bytes())
    assert again == mine and again.to_bytes() == mine.to_bytes()
    assert pickle.loads(pickle.dumps(mine)) == theirs
    if not mine.over:
        choice = data.draw(st.sampled_from(mine.option_ids))
        assert again.take(choice) == mine.take(choice) == theirs.take(choice)
        other = theirs.take(choice)
        assert other != mine and other.to_bytes() != mine.to_bytes()


@given(st.sampled_from(GAMES), st.integers(0, 2**40), st.integers(0, 12))
def test_records_have_one_form(name: str, seed: int, far: int) -> None:
    lines = []
    for game in _loads(name):
        match = Match.begin(game, game.variant(), seed)
        while not match.state.over and match.decisions < far:
            match.take(choose_at_random(match.state, bot_generator(seed, match.decisions)))
        record = record_of(match)
        assert parse_records(record.to_line(), "here") == [record]
        assert pickle.loads(pickle.dumps(record)) == record
        lines.append(record.to_line())
    assert lines[0] == lines[1]


def test_the_seed_of_a_game_without_chance_does_not_matter() -> None:
    four, dice = load_game("connect_four"), load_game("pig")
    assert four.start(seed=1) == four.start(seed=2)
    assert four.start(seed=1).to_bytes() == four.start(seed=2).to_bytes()
    assert dice.start(seed=1) != dice.start(seed=2)


def test_the_engine_does_not_matter() -> None:
    game = load_game("love_letter")
    states = [game.start(seed=5, engine=engine) for engine in ("python", "reference", "native")]
    assert len({*states}) == 1
    assert len({state.to_bytes() for state in states}) == 1
    assert game.state(states[0].to_bytes(), engine="native") == states[0]


def test_other_processes_give_the_same_bytes() -> None:
    logged = [_play_steps(load_game(name), 3, 6).to_bytes().hex() for name in GAMES]
    program = (
        "import sys; from rulewright import load_game; pairs = sys.argv[1:]; "
        "states = [load_game(n).state(bytes.fromhex(t)) for n, t in zip(pairs[::2], pairs[1::2])]; "
        "print(*(state.to_bytes().hex() for state in states))"
    )
    pairs = [word for pair in zip(GAMES, logged, strict=True) for word in pair]
    command = [sys.executable, "-c", program, *pairs]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == logged


def test_places_in_the_text_do_not_matter_and_rules_do(tmp_path: Path) -> None:
    here = copy_game("pig", tmp_path)
    text = here.read_text(encoding="utf-8")
    state = load_game("pig").start(seed=2)
    there = here.with_name("other.game")
    here.write_text("# the same rules\n" + text, encoding="utf-8")
    there.write_text(text.replace("100", "50"), encoding="utf-8")
    assert load_game(here).state(state.to_bytes()) == state
    assert load_game(there).start(seed=2) != state
    with pytest.raises(BrokenStateError, match="a state of different rules from those of Pig"):
        load_game(there).state(state.to_bytes())


@given(st.data())
def test_damaged_states_are_refused(data: st.DataObject) -> None:
    logged = bytearray(_play_steps(_loads("pig")[0], 1, 3).to_bytes())
    place = data.draw(st.integers(0, len(logged) - 1))
    logged[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(BrokenStateError):
        _loads("pig")[0].state(bytes(logged))
    with pytest.raises(BrokenStateError):
        _loads("pig")[0].state(bytes(logged[:place]))


@given(st.binary(max_size=200))
def test_bytes_that_are_no_state_are_refused(data: bytes) -> None:
    with pytest.raises(BrokenStateError, match="this is not a 'rulewright state 2'"):
        _loads("pig")[0].state(data)


def test_the_form_is_as_it_is_described() -> None:
    """Fixed here, so that later versions can read stored states."""
    logged = load_game("tic_tac_toe").start().to_bytes()
    head, _, rest = logged.partition(b"\n")
    found = json.loads(head)
    assert list(found) == ["format", "players", "options", "rules"]
    assert found["format"] == "rulewright state 2" and len(found["rules"]) == 64
    cells = load_game("tic_tac_toe").start().cells
    used = 4 * cells[2]
    assert rest[:21] == bytes(17) + used.to_bytes(4, "little")
    assert rest[21:25] == bytes(4)  # the first part that differs
    assert rest[25:33] == b"".join(cell.to_bytes(4, "little") for cell in cells[:2])
