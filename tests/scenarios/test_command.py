"""`rulewright test` on the command line: the chosen files, the output, the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.dsl.scenarios.scenario_parser import parse_scenarios
from tests.cli.conftest import Command, command

__all__ = ["command"]

GAME = """game "Nod"
    players 1..2
play
    each player
        choose one of
            option "nod"
                log "{me} nods"
    end game
score of p
    item "nothing" = 0
winner p by p.total then shared
"""
GOOD = """scenario "ann nods" [ND-01]
    player ann
    ann plays nod
    expect game_over
"""
BAD = """scenario "ann shakes"
    player ann, bob
    ann plays nod
    expect game_over
"""


def write(folder: str, scenarios: str) -> Path:
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    (path / "nod.game").write_text(GAME, encoding="utf-8")
    (path / "nod.scenario").write_text(scenarios, encoding="utf-8")
    return path / "nod.scenario"


def test_all_below_the_folder(command: Command) -> None:
    write("one", GOOD)
    write("two/deep", GOOD + BAD)
    write(".hidden", BAD)
    ran = command("test")
    assert ran.code == 1
    assert ran.out.endswith("2 passed, 1 failed\n")
    assert "two/deep/nod.scenario:8: expect game_over" in ran.out.replace("\\", "/")


def test_a_game_stands_for_its_scenarios(command: Command) -> None:
    write("one", GOOD)
    assert command("test", "one/nod.game").out == "1 passed, 0 failed\n"
    assert command("test", "one/nod.game").code == 0


def test_a_warning_is_shown_and_fails_nothing(command: Command) -> None:
    write("one", GOOD + 'beginning "never"\n    player ann\n')
    ran = command("test", "one")
    assert "no scenario begins from `never`" in ran.out + ran.err
    assert "1 passed, 0 failed" in ran.out
    assert ran.code == 0
    assert command("check", "one/nod.scenario").code == 1


def test_scenarios_can_be_picked(command: Command) -> None:
    write("one", GOOD + BAD)
    assert command("test", "one", "--only", "ND-01").out == "1 passed, 0 failed\n"
    assert command("test", "one", "--only", "Shakes").code == 1


def test_the_verdict_becomes_json(command: Command) -> None:
    write("one", GOOD + BAD)
    ran = command("test", "one", "--format", "json")
    data = json.loads(ran.out)
    assert ran.code == 1
    assert (data["passed"], data["failed"], data["problems"]) == (1, 1, [])
    good, bad = data["scenarios"]
    assert (good["name"], good["clauses"], good["failure"]) == ("ann nods", ["ND-01"], None)
    assert (bad["line"], bad["failure"]["line"], bad["failure"]["step"]) == (
        5,
        8,
        "expect game_over",
    )
    assert bad["failure"]["steps"][-2:] == ["ann plays nod", "ann nods"]


def test_unreadable_scenarios_fail(command: Command) -> None:
    write("one", GOOD.replace("nod\n", "nood\n"))
    ran = command("test", "one")
    assert ran.code == 1
    assert "did you mean `nod`?" in ran.out
    assert ran.out.endswith("0 passed, 1 failed\n")


def test_a_file_without_scenarios_is_reported(command: Command) -> None:
    Path("empty").mkdir()
    assert command("test", "empty").code == 2
    assert command("test", "nowhere.scenario").code == 2
    write("one", GOOD)
    Path("one/nod.scenario").unlink()
    assert command("test", "one/nod.game").code == 2


def test_a_scenario_without_its_game_is_reported(command: Command) -> None:
    write("one", GOOD)
    Path("one/nod.game").unlink()
    ran = command("check", "one/nod.scenario")
    assert ran.code == 1
    assert "no-such-game" in ran.out


def test_a_shipped_game_that_is_called_nearly_so(command: Command) -> None:
    path = write("one", f'game "gingkopolis"\n{GOOD}')
    assert "did you mean `ginkgopolis`?" in command("check", str(path)).out


def test_a_game_with_another_name(command: Command) -> None:
    path = write("one", f'game "other.game"\n{GOOD}')
    Path("one/nod.game").rename("one/other.game")
    assert load_scenarios(path).problems == ()
    assert command("test", str(path)).code == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x0c\x1c\u2028scenario",
        "scenario",
        'scenario "x',
        'scenario "x"\n\tplayer ann\n\t\tann plays nod',
        'scenario "x"\n    player ann\n  expect (((',
        'scenario "x"\n    given\n    given\n        given\n            given',
        'scenario "x"\n    ' + "expect " + "(" * 3000,
        'scenario "x"\n' + "".join(f"{' ' * n}given\n" for n in range(1, 200)),
        'beginning "x"\n    from "x"\nscenario "y"\n    from "x"\n',
        'scenario "x"\n    player ' + ", ".join(f"p{n}" for n in range(400)),
        'scenario "x"\n    player ann\n    play 999999 steps with seed 999999999',
        'scenario "x"\n    player ann\n    given\n' + "        log \"{\"\n" * 50,
    ],
)  # fmt: skip
def test_any_text_has_located_problems_or_works(command: Command, text: str) -> None:
    path = write("one", text)
    loaded = load_scenarios(path)
    for problem in loaded.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(problem.span.source.text)
    assert command("check", str(path)).code in (0, 1)
    assert command("test", str(path)).code in (0, 1)


@pytest.mark.slow
def test_a_large_file_is_read_in_time() -> None:
    text = '\nscenario "x"\n    player ann\n    given\n        log "a"\n' * 4000
    problems = Problems()
    assert len(parse_scenarios(Source("large", text), problems).scenarios) == 4000
    assert not problems.has_errors


def test_a_folder_of_a_game_may_have_several_files(command: Command) -> None:
    write("nod", GOOD).rename("nod/first.scenario")
    write("nod", BAD)
    assert command("test", "nod/nod.game").out.endswith("1 passed, 1 failed\n")
    assert command("test", "nod/first.scenario").out == "1 passed, 0 failed\n"


def test_a_shipped_game_is_named(command: Command) -> None:
    Path("kings.scenario").write_text(
        'game "pig"\n\nscenario "both begin with nothing"\n    player ann, bob\n'
        "    expect ann.total is 0\n",
        encoding="utf-8",
    )
    assert command("test", "kings.scenario").out == "1 passed, 0 failed\n"
    assert command("check", "kings.scenario").code == 0


SHARING = """include "common.scenario"

scenario "x"
    from "ann has nodded"
    expect game_over
"""


def test_beginnings_are_shared_between_files(command: Command) -> None:
    Path("common.scenario").write_text(
        'beginning "ann has nodded"\n    player ann\n    ann plays nod\n',
        encoding="utf-8",
    )
    path = write(".", SHARING)
    assert command("test", str(path)).out == "1 passed, 0 failed\n"
    assert command("check", "common.scenario").code == 0
    assert command("fmt", "--check", str(path), "common.scenario").code == 0


@pytest.mark.parametrize(
    ("common", "said"),
    [
        ('include "nod.scenario"\n', "`nod.scenario` includes itself"),
        ('beginning "ann has nodded"\n    player ann\n    ann plays nood\n', "nood"),
        (None, "the file `common.scenario` cannot be read"),
    ],
)
def test_broken_shared_beginnings_fail_with_a_message(
    command: Command, common: str | None, said: str
) -> None:
    if common is not None:
        Path("common.scenario").write_text(common, encoding="utf-8")
    path = write(".", SHARING)
    ran = command("test", str(path))
    assert ran.code == 1
    assert said in ran.err + ran.out
    assert ran.out.endswith("0 passed, 1 failed\n")


def test_a_mistake_in_a_file_that_is_included_fails_what_begins_with_it(command: Command) -> None:
    path = write(
        "one",
        f'include "shared.scenario"\n{GOOD}scenario "bad"\n    from "never"\n    ann plays nod\n'
        'scenario "fine"\n    from "ever"\n    ann plays nod\n',
    )
    path.with_name("shared.scenario").write_text(
        'beginning "never"\n    player ann\n    expect ann is bob\n'
        'beginning "ever"\n    player ann\n',
        encoding="utf-8",
    )
    ran = command("test", str(path))
    assert ran.out.endswith("2 passed, 1 failed\n")


def test_an_option_that_is_refused_must_be_one_of_the_game(command: Command) -> None:
    path = write("one", GOOD)
    path.with_suffix(".game").write_text(
        GAME.replace("play\n", "option length = short, long\nplay\n", 1), encoding="utf-8"
    )
    scenario = 'scenario "no"\n    player ann\n    refused option {} is endless\n'
    path.write_text(scenario.format("length"), encoding="utf-8")
    assert command("test", str(path)).out.endswith("1 passed, 0 failed\n")
    path.write_text(scenario.format("lenght"), encoding="utf-8")
    ran = command("test", str(path))
    assert ran.out.endswith("0 passed, 1 failed\n")
    assert "did you mean `length`?" in f"{ran.out}{ran.err}"


def test_words_need_no_blank_before_them(command: Command) -> None:
    text = """scenario "close together"
    player ann, bob
    expect option nod"nod"
    expect prompt"what do you do?"
    refused bob plays nod because"it is ann's turn"
"""
    path = write("close", text)
    assert command("test", str(path)).out == "1 passed, 0 failed\n"
