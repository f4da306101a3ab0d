"""Scenario files that are read together give the results of each file alone, and share compiled programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import run
from rulewright.dsl.diagnostics.render import to_json
from rulewright.dsl.loading.loading import Loaded
from rulewright.dsl.scenarios import scenario_loading
from rulewright.dsl.scenarios.scenario_compiling import FullScenario, Terms, compile_scenarios
from rulewright.dsl.scenarios.scenario_loading import (
    LoadedScenarios,
    Programs,
    load_scenarios,
    load_together,
)
from rulewright.interpreter.testing.scenarios import Runner, run_scenarios

GAME = """game "Coins"
    players 1..2
option most = 3, 5
state heap : 0..5
action draw
    add 1 to heap
play
    repeat until heap is most
        each player
            choose one of
                do draw
                option "wait"
    end game
score of p
    item "heap" = heap
winner p by p.total then shared
"""
FILES = {
    "draws": 'scenario "draws"\n    player ann\n    ann plays draw\n    expect heap is 1\n',
    "two": 'scenario "bob waits"\n    player ann, bob\n    given\n        set heap to 1\n'
    "    ann plays draw\n    bob plays wait\n    expect heap is 2\n"
    'scenario "one alone"\n    player ann\n    ann plays wait\n    expect heap is 0\n',
    "chance": 'scenario "given by chance"\n    player ann\n    given\n'
    "        roll heap in 1..2\n    expect heap > 0\n",
    "not_given": 'scenario "nothing is rolled"\n    player ann\n    chance gives 2\n    expect heap is 0\n',
    "unread": 'scenario "unread"\n    player ann\n    ann plays drawn\n'
    'scenario "fails"\n    player ann\n    expect heap is 2\n',
    "names": 'scenario "a name"\n    player heap\n    heap plays draw\n',
    "other": 'scenario "others"\n    player ann\n    option most is 5\n    expect heap is 0\n',
    "no_game": 'game "none.game"\nscenario "x"\n    player ann\n    expect heap is 0\n',
    "broken": 'scenario "y"\n    player ann\n    expect heap is is 0\n',
}


def _results(loaded: LoadedScenarios) -> object:
    results = {
        result.scene.text: str(result.failure)
        for program in loaded.programs
        for result in run_scenarios(program, "python")
    }
    return [to_json(problem) for problem in loaded.problems], results, loaded.unread


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    (tmp_path / "coins.game").write_text(GAME, encoding="utf-8")
    for name, text in FILES.items():
        head = "" if text.startswith("game") else 'game "coins.game"\n'
        (tmp_path / f"{name}.scenario").write_text(head + text, encoding="utf-8")
    return {name: tmp_path / f"{name}.scenario" for name in FILES}


def test_they_say_what_each_says_alone(paths: dict[str, Path]) -> None:
    alone = {name: _results(load_scenarios(path)) for name, path in paths.items()}
    assert any("unknown-option" in str(found) for found in alone.values())
    for names in (*combinations(FILES, 2), tuple(FILES)):
        together = load_together([paths[name] for name in names])
        assert [_results(loaded) for loaded in together] == [alone[name] for name in names], names


def test_the_same_players_with_the_same_options_share_a_program(paths: dict[str, Path]) -> None:
    draws, two, other = load_together([paths[name] for name in ("draws", "two", "other")])
    (of_draws,) = draws.programs
    programs = [found.program for found in two.programs]
    assert of_draws.program in programs
    assert any(of_draws.program is program for program in programs)
    assert all(of_draws.program is not found.program for found in other.programs)


def test_engines_are_shared(paths: dict[str, Path]) -> None:
    runner = Runner("python")
    found = [
        result.passed
        for loaded in load_together([paths["draws"], paths["two"]])
        for program in loaded.programs
        for result in runner.run(program)
    ]
    assert found == [True, True, True]


def test_rolls_of_another_file_are_not_used(paths: dict[str, Path]) -> None:
    _, not_given = load_together([paths["chance"], paths["not_given"]])
    assert [problem.code for problem in not_given.problems] == ["wrong-type"]


def test_files_are_checked_with_one_program_for_the_same_players(
    paths: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[int] = []

    def counting_compile(
        game: Loaded, terms: Terms, files: Sequence[Sequence[FullScenario]], *further: Any
    ) -> Programs | None:
        compiled.append(len(files))
        return compile_scenarios(game, terms, files, *further)

    monkeypatch.setattr(scenario_loading, "compile_scenarios", counting_compile)
    assert run(["check", *(str(paths[name]) for name in ("draws", "two", "other"))]) == 0
    assert compiled == [2, 1, 1]  # ann alone in two files, ann and bob, ann with another option
