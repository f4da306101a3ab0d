"""Commands that begin from a position of a scenario, and the records that they save."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.interpreter.leaking import let_secrets_pass

GAME = """\
game "Thirds"
    players 2

piece Card
    copies = 8
    row high
    row low

zone deck: pile of Card, seen by nobody except size

player
    zone hand: set of Card, seen by owner except size
    state points: 0..9

setup
    move all from Card to deck
    shuffle deck

play
    repeat 3 times
        each player
            move up to 1 from deck to me.hand
            choose one of
                option "take a point"
                    add 1 to me.points
                option "boast"

score of p
    item "points" = p.points
winner p by p.total then shared
"""

LEAKING = GAME.replace(
    """                option "boast"
""",
    """                option "boast"
            if deck.size > 0 and sure(deck.top) is high
                log "{me} smiles"
""",
)

SCENARIOS = """\
beginning "one round is over"
    player ann, bob
    ann plays take_a_point
    bob plays take_a_point
"""

HERE = "thirds.scenario:one round is over"


@pytest.fixture(autouse=True)
def _files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "thirds.game").write_text(GAME, encoding="utf-8")
    (tmp_path / "thirds.scenario").write_text(SCENARIOS, encoding="utf-8")


def test_a_play_begins_where_the_scenario_ends(command: Command) -> None:
    line = ("play", HERE, "--seat", "2=greedy", "--seed", "3")
    ran = command(*line, typed="take a point\ntake a point\nquit\n")
    assert "ann: you, bob: greedy" in ran.out
    assert "points  1          1" in ran.out
    assert "The game is over: you and bob share the victory." in ran.out
    assert "points    3    3" in ran.out


def test_named_people_begin_there_too(command: Command) -> None:
    ran = command("play", HERE, "--seat", "2=human:Rae", typed="quit\n")
    assert "ann: human, Rae: human" in ran.out
    assert "points  1          1" in ran.out


def test_such_a_play_is_kept_and_taken_up(command: Command) -> None:
    command("play", HERE, "--seed", "3", "--save", "one.play", typed="take a point\n")
    assert command("replay", "one.play", "--verify").out == "1 valid, 0 invalid\n"
    on = command("play", HERE, "--load", "one.play", typed="take a point\n")
    assert "The game is over" in on.out
    other = command("play", "thirds.game", "--load", "one.play")
    assert "the record is of different rules" in other.err


def test_a_play_that_is_left_is_another_than_one_of_the_whole_game(command: Command) -> None:
    ran = command("play", HERE, "--seed", "3", typed="take a point\nquit\n")
    assert f"`rulewright play '{HERE}' --resume`" in ran.out
    assert "no unfinished match" in command("play", "thirds.game", "--resume").err
    assert "points  2             2" in command("play", HERE, "--resume", typed="quit\n").out


def test_a_record_does_not_outlive_its_position(command: Command, tmp_path: Path) -> None:
    command("play", HERE, "--seed", "3", "--save", "one.play", typed="take a point\n")
    changed = SCENARIOS.replace("bob plays take_a_point", "bob plays boast")
    (tmp_path / "thirds.scenario").write_text(changed, encoding="utf-8")
    ran = command("replay", "one.play")
    assert ran.code == 1
    assert "the record is of different rules" in ran.err


def test_leaks_are_looked_for_from_there(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    let_secrets_pass(monkeypatch)
    again = LEAKING.replace("repeat 3 times\n", "repeat 3 times\n        shuffle deck\n")
    Path("thirds.game").write_text(again, encoding="utf-8")
    ran = command("leaks", HERE, "--games", "20")
    assert ran.code == 1
    assert "ann can tell something hidden from the log" in ran.out
    file = next(Path().glob("thirds-*.leak"))
    assert "can tell something hidden from the log" in command("leaks", "--load", str(file)).out


def test_a_game_that_check_refuses_is_not_played_from_a_position(command: Command) -> None:
    Path("thirds.game").write_text(LEAKING, encoding="utf-8")
    assert "error[secret-leak]" in command("check", "thirds.game").out
    ran = command("play", HERE, typed="quit\n")
    assert ran.code == 1
    assert "error[secret-leak]" in f"{ran.out}{ran.err}"


def test_commands_begin_with_the_player_to_move(command: Command) -> None:
    more = 'scenario "bob again"\n    from "one round is over"\n    to move bob\n'
    Path("thirds.scenario").write_text(f"{SCENARIOS}\n{more}", encoding="utf-8")
    here = "thirds.scenario:bob again"
    # bob ends the second round, and the third has two decisions: 2 x 2 x 2 ways
    counted = command("perft", here, "--depth", "4").out
    assert [line.split() for line in counted.splitlines()] == [["1", "2"], ["2", "4"], ["3", "8"]]
    played = command("play", here, "--seat", "1=greedy", "--seat", "2=greedy")
    assert "bob: take a point\n  ann: take a point\n  bob: take a point\n" in played.out
    report = command("simulate", here, "--games", "8")
    assert "decisions in a game: 3.0 (3 .. 3)" in report.out


def test_seats_that_nobody_holds_are_no_persons(command: Command) -> None:
    alone = GAME.replace("players 2\n", "players 1\n\nseat ghost\n")
    alone = alone.replace("each player\n", "each player where me is not ghost\n")
    Path("thirds.game").write_text(alone, encoding="utf-8")
    scenarios = SCENARIOS.replace("ann, bob", "ann").replace("    bob plays take_a_point\n", "")
    Path("thirds.scenario").write_text(scenarios, encoding="utf-8")
    ran = command("play", HERE, "--seed", "3", typed="quit\n")
    assert "ann: you; seed 3" in ran.out


def test_a_name_that_is_none_is_answered_with_scenarios_and_beginnings(command: Command) -> None:
    more = 'scenario "a point each"\n    from "one round is over"\n    expect ann.points is 1\n'
    Path("thirds.scenario").write_text(f"{SCENARIOS}\n{more}", encoding="utf-8")
    ran = command("play", "thirds.scenario:WRONG")
    assert ran.code == 1
    assert "there is no scenario or beginning `WRONG`" in ran.err
    assert "write `a point each` or `one round is over`" in ran.err
    near = command("play", "thirds.scenario:a point eech").err
    assert "did you mean `a point each`?" in near
