"""`compare` with two versions of a small game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.exits import Exit
from rulewright.cli.jobs import pairing
from tests.cli.conftest import Command

GAME = """game "Fair"
    players 2
table Prize from "prize.csv"
    points: 0..9
option bonus = no, yes
player
    state points: 0..20
play
    each player
        choose one of
            option "stay"
                add Prize(1).points to me.points
            option "go"
                if bonus is yes and me.number is 2
                    add 5 to me.points
    each player
        roll n in 1..3
        add n to me.points
score of p
    item "points" = p.points
winner p by p.total then shared
"""
WORDS = ("compare", "fair.game")


@pytest.fixture
def fair(command: Command) -> Command:
    Path("fair.game").write_text(GAME, encoding="utf-8")
    Path("prize.csv").write_text("place,points\n1,1\n", encoding="utf-8")
    Path("rich").mkdir()
    Path("rich/prize.csv").write_text("place,points\n1,4\n", encoding="utf-8")
    return command


def test_options_side_by_side(fair: Command) -> None:
    ran = fair(*WORDS, "--set-b", "bonus=yes")
    assert ran.code == Exit.FINE
    first, second, third, *_ = ran.out.splitlines()
    assert first == "A: fair.game"
    assert second == "B: fair.game (bonus=yes)"
    assert (
        third.startswith("100 games of each with the same seeds, analysed once")
        or "looked at" in third
    )
    assert "beyond chance, B against A\n" in ran.out
    assert "  wins: player 2 " in ran.out
    assert "all main figures are clear" in ran.out


@pytest.mark.slow
def test_jobs_and_engines_change_nothing(fair: Command) -> None:
    words = (*WORDS, "--tables-b", "rich", "--games", "100", "--format", "json")
    found = []
    for way in ((), ("--jobs", "2"), ("--engine", "native")):
        data = json.loads(fair(*words, *way).out)
        del data["seconds"]
        found.append(data)
    assert found[0] == found[1] == found[2]
    data = found[0]
    assert list(data) == [
        "versions",
        "seed",
        "games",
        "given_up",
        "looks",
        "clear",
        "precision",
        "figures",
        "worth",
    ]
    points = next(
        each for each in data["figures"] if each["group"] == "points of a seat" and not each["name"]
    )
    assert points["verdict"] == "differs"
    assert points["difference"] == pytest.approx(1.5, abs=0.4)
    assert {each["name"] for each in data["worth"]} == {"stay", "go"}


def test_compare_says_how_many_more_games_an_unclear_result_needs(fair: Command) -> None:
    out = fair(*WORDS, "--bot-b", "2=greedy", "--games", "20", "--precision", "1").out
    assert "not decided yet within 1 in 100 games, or 1 % of a number" in out
    assert " more\n" in out


def test_there_must_be_two_versions(fair: Command) -> None:
    ran = fair(*WORDS)
    assert ran.code == Exit.USAGE
    assert "A and B are the same" in ran.err
    ran = fair(*WORDS, "love_letter", "--players", "2", "--set", "bonus=yes")
    assert ran.code == Exit.USAGE


def test_an_interrupted_comparison_keeps_finished_games(
    fair: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def interrupt_third(pair: pairing.Pair) -> pairing.Compared:
        calls.append(pair)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return perform(pair)

    perform = pairing.perform_pair
    monkeypatch.setattr(pairing, "perform_pair", interrupt_third)
    ran = fair(*WORDS, "--set-b", "bonus=yes")
    assert ran.code == Exit.INTERRUPTED
    assert ran.err == "interrupted: the results of 3 games of each\n"
    assert "3 games of each with the same seeds, analysed once" in ran.out
