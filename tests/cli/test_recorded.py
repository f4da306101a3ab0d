"""Statistics of recorded matches equal those of the matches themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.exits import Exit
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import record_of
from tests.cli.conftest import Command

PIG = ("pig", "--players", "3")
NOT_COUNTED = ("seed", "engine", "seconds", "games_per_second", "decisions_per_second")


def simulated_figures(command: Command, *words: str, games: int = 6, file: str = "all.play") -> Any:
    """The figures of some simulated matches; their records are in a file."""
    ran = command(
        "simulate", *words, "--games", str(games), "--full", "--log", file, "--format", "json"
    )
    assert ran.code == Exit.FINE, ran.err
    return json.loads(ran.out)


def run_json(command: Command, *words: str) -> Any:
    """The JSON of a command."""
    ran = command(*words, "--format", "json")
    assert ran.code == Exit.FINE, ran.err
    return json.loads(ran.out)


@pytest.mark.parametrize("words", [PIG, ("love_letter", "--bot", "greedy"), ("kuhn_poker",)])
def test_records_have_the_figures_of_the_matches(command: Command, words: tuple[str, ...]) -> None:
    expected = simulated_figures(command, *words)
    found = run_json(command, "simulate", words[0], "--records", "all.play")
    assert found["seed"] is None
    for name in NOT_COUNTED:
        del expected[name], found[name]
    assert found == expected


def test_records_of_several_variants_are_counted_apart(command: Command) -> None:
    two = simulated_figures(command, "pig", file="two.play")
    three = simulated_figures(command, *PIG, file="three.play")
    words = ("simulate", "pig", "--records", "two.play", "--records", "three.play", "--jobs", "2")
    runs = run_json(command, *words)["runs"]
    assert [run["seats"] for run in runs] == [two["seats"], three["seats"]]


def test_coverage_of_records_is_that_of_the_matches(command: Command) -> None:
    simulated_figures(command, *PIG)
    words = ("simulate", "pig", "--coverage")
    expected = run_json(command, *words, "--players", "3", "--games", "6")
    assert run_json(command, *words, "--records", "all.play") == expected


def test_recorded_matches_are_compared_with_those_of_bots(command: Command) -> None:
    simulated_figures(command, *PIG)
    words = ("compare", "pig", "--records-a", "all.play", "--bot-b", "random")
    found = run_json(command, *words)
    assert found["games"] == 6
    assert {each["difference"] for each in found["figures"]} == {0}
    assert "6 games of each, analysed" in command(*words).out


def test_the_report_counts_recorded_matches(command: Command) -> None:
    simulated_figures(command, *PIG, games=3)
    ran = command("simulate", "pig", "--records", "all.play", "--report", "a.html")
    assert ran.code == Exit.FINE, ran.err
    page = Path("a.html").read_text(encoding="utf-8")
    assert "3 recorded games." in page and "same seeds" not in page


def test_matches_that_have_not_ended_are_left_out(command: Command) -> None:
    simulated_figures(command, *PIG, games=3)
    pig = load_game("pig")
    begun = record_of(Match.begin(pig, pig.variant(3, {}), 1))
    Path("begun.play").write_text(begun.to_line(), encoding="utf-8")
    ran = command("simulate", "pig", "--records", "begun.play")
    assert (ran.code, ran.out) == (Exit.PROBLEMS, "")
    assert "no match in these records has ended" in ran.err
    ran = command("simulate", "pig", "--records", "all.play", "--records", "begun.play")
    assert ran.code == Exit.FINE and "1 match has not ended and is left out" in ran.err
    assert ran.out.startswith("Pig: 3 games")


def test_records_that_do_not_fit_are_refused_with_their_place(command: Command) -> None:
    simulated_figures(command, *PIG, games=2)
    ran = command("simulate", "kalah", "--records", "all.play")
    assert ran.code == Exit.PROBLEMS
    assert "all.play, record 1: the record is of Pig, not of Kalah" in ran.err
    first, second = Path("all.play").read_text(encoding="utf-8").splitlines()
    changed = json.dumps({**json.loads(second), "seed": 99})
    Path("all.play").write_text(f"{first}\n{changed}\n", encoding="utf-8")
    ran = command("simulate", "pig", "--records", "all.play")
    assert ran.code == Exit.PROBLEMS and "all.play, record 2: the record was edited" in ran.err
    ran = command("simulate", "pig", "--records", "none.play")
    assert ran.code == Exit.PROBLEMS and "none.play" in ran.err


@pytest.mark.parametrize(
    "more", [("--games", "5"), ("--seed", "1"), ("--bot", "greedy"), ("--log", "b.play")]
)
def test_options_of_playing_are_refused_beside_records(
    command: Command, more: tuple[str, str]
) -> None:
    ran = command("simulate", "pig", "--records", "all.play", *more)
    assert ran.code == Exit.USAGE and f"'{more[0]}' cannot be combined with '--records'" in ran.err
