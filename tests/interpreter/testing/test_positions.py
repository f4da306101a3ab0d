"""Matches, counts and measurements that begin at the end of a scenario."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import record_of
from rulewright.interpreter.matches.replay import check_rules, replay
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import play_on, simulate
from rulewright.interpreter.testing.perft import perft, turns
from rulewright.interpreter.testing.positions import load_position
from rulewright.interpreter.text.errors import (
    BrokenGameError,
    BrokenRecordError,
    WrongVariantError,
)

NIM = """game "Nim"
    players 2
option heap = small, large
die luck = 1, 2
state stones: 0..9 = if heap is small then 4 else 9
state bonus: 0..9
action take(n in 1..2)
    needs stones >= n else "there are not so many"
    lose n from stones
    if stones is 0
        win me
        end game
play
    repeat
        each player
            surely choose one of
                do take
                option "roll"
                    roll found = 1 of luck
                    add found to bonus
                    choose one of
                        do take
                        option "keep"
                    if bonus >= 3
                        end game
score of p
    item "left" = stones
winner p by p.total then shared
"""
SCENARIOS = """beginning "two are left"
    option heap is large
    player ann, bob
    given
        set stones to 2

scenario "one is left"
    from "two are left"
    ann plays take(1)

scenario "all is over"
    from "two are left"
    ann plays take(2)

scenario "in the middle"
    player ann, bob
    given
        as bob
            do take(2)

scenario "wrong"
    player ann, bob
    expect stones is 3

scenario "left over"
    player ann, bob
    chance gives 1
    ann plays take(1)

scenario "unreadable"
    player ann, bob
    expect stonse is 3
"""


def at(folder: Path, words: str) -> Game:
    (folder / "nim.game").write_text(NIM, encoding="utf-8")
    (folder / "nim.scenario").write_text(SCENARIOS, encoding="utf-8")
    return load_position(f"{folder / 'nim.scenario'}:{words}")


def test_a_position_is_counted_from(tmp_path: Path) -> None:
    game = at(tmp_path, "two are left")
    assert dict(game.variant().options) == {"heap": "large"}
    start = game.start(chance="manual")
    assert list(perft(start, 3)) == [3, 4, 8]
    assert list(perft(at(tmp_path, "one is left").start(chance="manual"), 2)) == [2, 2]


def test_turns_are_counted(tmp_path: Path) -> None:
    # take one, take two, roll (1 or 2) and then take one, two or none
    start = at(tmp_path, "two are left").start(chance="manual")
    assert list(turns(start, 1)) == [2 + 2 * 3]
    assert list(turns(at(tmp_path, "one is left").start(chance="manual"), 1)) == [1 + 2 * 2]


@pytest.mark.parametrize("count", [perft, turns])
def test_states_of_the_last_ply_are_not_kept(
    count: Callable[[State, int], Iterator[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = load_game("breakthrough").start(chance="manual")
    list(count(start, 1))  # the cost of the first use is not measured
    last = 11_132 * start.compiled.program.size * 4
    monkeypatch.setattr("rulewright.interpreter.testing.perft._BYTES", last // 10)
    tracemalloc.start()
    try:
        assert list(count(start, 3)) == [22, 22 * 22, 11_132]
        assert tracemalloc.get_traced_memory()[1] < last / 2
    finally:
        tracemalloc.stop()


def test_matches_begin_in_the_position(tmp_path: Path) -> None:
    game = at(tmp_path, "one is left")
    tally = simulate(game, game.variant(), ("random", "random"), range(20))
    assert tally.plays == 20
    state = game.start(seed=3)
    assert state.players == ("ann", "bob") and state.player == 1
    assert state.log == ()
    assert pickle.loads(pickle.dumps(state)) == state


def test_a_record_of_what_begins_there_belongs_to_the_position(tmp_path: Path) -> None:
    game = at(tmp_path, "one is left")
    match = Match.begin(game, game.variant(), 1)
    play_on(match, ("random", "random"))
    assert replay(record_of(match), at(tmp_path, "one is left")).state.cells == match.state.cells
    for other in (load_game(tmp_path / "nim.game"), at(tmp_path, "two are left")):
        with pytest.raises(BrokenRecordError, match="different rules"):
            check_rules(record_of(match), other)
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(game)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("all is over", "the game is over then"),
        ("wrong", "in line 23 stones is 3 is expected, `stones` is 4"),
        ("left over", "results of chance are left over at its end"),
    ],
)
def test_wrong_positions_are_refused(tmp_path: Path, words: str, said: str) -> None:
    with pytest.raises(WrongVariantError, match=said):
        at(tmp_path, words)


@pytest.mark.parametrize("words", ["unreadable", "nothing is called so"])
def test_unreadable_positions_are_refused(tmp_path: Path, words: str) -> None:
    with pytest.raises(BrokenGameError):
        at(tmp_path, words)


def test_there_is_one_setting(tmp_path: Path) -> None:
    game = at(tmp_path, "two are left")
    assert game.variant(2, {"heap": "large"}) == game.variant()
    for players, options in ((3, {}), (2, {"heap": "small"})):
        with pytest.raises(WrongVariantError, match="this position is one of 2 players"):
            game.variant(players, options)
