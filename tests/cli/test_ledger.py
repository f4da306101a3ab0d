"""The clause ledger: its text (see `ledger.md`), its data, and rulebooks that cannot be read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from rulewright.cli.exits import Exit
from rulewright.interpreter.matches.library import shipped_games
from tests.cli.conftest import Command
from tests.games.variants import LONG

PAGE = Path(__file__).parent / "ledger.md"
PART = re.compile(r"^## (.*)$", re.MULTILINE)
FENCE = re.compile(r"^```(game|rulebook|scenario|output)\n(.*?)^```\n(?=\n|\Z)", re.M | re.S)
CODE = re.compile(r"\[([a-z]+-clause)\]")


@attrs.frozen
class Case:
    """The files of a part of the page, and the place of the expected output."""

    name: str
    files: dict[str, str]
    output: str
    start: int
    end: int


def cases() -> Iterator[Case]:
    text = PAGE.read_text(encoding="utf-8")
    files: dict[str, str] = {}
    for part in PART.finditer(text):
        following = PART.search(text, part.end())
        end = following.start() if following is not None else len(text)
        for fence in FENCE.finditer(text, part.end(), end):
            if fence[1] != "output":
                files = {**files, fence[1]: fence[2]}
            else:
                yield Case(part[1], files, fence[2], fence.start(2), fence.end(2))


def write(files: dict[str, str]) -> None:
    names = {"game": "coins.game", "rulebook": "coins.rules.md", "scenario": "coins.scenario"}
    for kind, text in files.items():
        Path(names[kind]).write_text(text, encoding="utf-8")


def ledger_output(command: Command, case: Case) -> str:
    write(case.files)
    ran = command("ledger", "coins.game", "--games", "20")
    return f"{ran.err}{ran.out}".rstrip("\n") + f"\n[exit {ran.code}]\n"


def test_the_ledger_is_printed_as_expected(command: Command) -> None:
    found = [(case, ledger_output(command, case)) for case in cases()]
    assert found
    if os.environ.get("REWRITE"):
        text = PAGE.read_text(encoding="utf-8")
        for case, output in reversed(found):
            text = text[: case.start] + output + text[case.end :]
        PAGE.write_text(text, encoding="utf-8")
        return
    for case, output in found:
        assert output == case.output, case.name


@pytest.mark.parametrize("case", [*cases()], ids=lambda case: case.name)
def test_check_and_ledger_agree(command: Command, case: Case) -> None:
    write(case.files)
    ledger = command("ledger", "coins.game", "--games", "0")
    check = command("check", "coins.game", "coins.scenario")
    assert sorted(CODE.findall(ledger.err)) == sorted(CODE.findall(check.out))
    assert (ledger.code == Exit.FINE) == (not CODE.findall(ledger.err))


def test_the_ledger_becomes_json(command: Command) -> None:
    write(next(cases()).files)
    ran = command("ledger", "coins.game", "--games", "6", "--format", "json")
    assert ran.code == Exit.FINE
    found = json.loads(ran.out)
    clauses = {clause["id"]: clause for clause in found.pop("clauses")}
    assert found == {
        "game": "Coins",
        "rulebook": "coins.rules.md",
        "games": 6,
        "settings": 2,
        "totals": {
            "clauses": 6,
            "implemented": 5,
            "waived": 1,
            "missing": 0,
            "untested": 1,
            "never_fired": 0,
        },
        "problems": [],
    }
    assert clauses["CN-002"] == {
        "id": "CN-002",
        "text": "Somebody has one more, as a beginning.",
        "line": 4,
        "implemented": [{"file": "coins.game", "line": 8}],
        "waived": [],
        "tests": [{"file": "coins.scenario", "line": 1, "name": "work pays"}],
        "fired": 6,
    }
    assert clauses["CN-005"]["waived"] == ["how to hold coins is up to the players"]
    assert clauses["CN-005"]["implemented"] == [] and clauses["CN-005"]["fired"] is None
    # A state by itself never runs; both lines of a clause count, each once per match.
    assert clauses["CN-001"]["fired"] is None and clauses["CN-006"]["fired"] == 6
    assert [place["line"] for place in clauses["CN-003"]["implemented"]] == [8, 9]


@pytest.mark.parametrize("games", ["1", "3"])
def test_fewer_games_than_settings(command: Command, games: str) -> None:
    write(next(cases()).files)
    ran = command("ledger", "coins.game", "--games", games, "--format", "json")
    found = json.loads(ran.out)
    assert found["settings"] == min(int(games), 2)
    assert next(c for c in found["clauses"] if c["id"] == "CN-003")["fired"] == int(games)


def test_options_that_are_set_are_those_of_all_games(command: Command) -> None:
    files = dict(next(cases()).files)
    files["game"] = (
        files["game"]
        .replace("player\n", "option rests = no, yes\n\nplayer\n", 1)
        .replace('option "rest"', 'option "rest" where rests')
    )
    write(files)
    words = ("ledger", "coins.game", "--games", "8", "--format", "json")
    assert json.loads(command(*words).out)["settings"] == 4
    assert json.loads(command(*words, "--set", "rests=yes").out)["settings"] == 2
    refused = command(*words, "--set", "rests=perhaps")
    assert refused.code == Exit.USAGE
    assert "perhaps" in refused.err


def test_a_game_without_a_rulebook_gets_help_to_name_one(command: Command) -> None:
    Path("bare.game").write_text('game "Bare"\n    players 2\nplay\n    end game\n')
    ran = command("ledger", "bare.game")
    assert ran.code == Exit.USAGE
    assert "Bare names no rulebook" in ran.err


def test_a_missing_rulebook_is_reported(command: Command) -> None:
    write(next(cases()).files)
    Path("coins.rules.md").unlink()
    ran = command("ledger", "coins.game")
    assert ran.code == Exit.PROBLEMS
    assert "the rulebook `coins.rules.md` cannot be read" in ran.err
    assert "coins.game:3:14" in ran.err


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"- **CN-001**\0", b"x" * (4 * 1024 * 1024 + 1)])
def test_rulebook_that_is_no_text(command: Command, data: bytes) -> None:
    write(next(cases()).files)
    Path("coins.rules.md").write_bytes(data)
    ran = command("ledger", "coins.game")
    assert ran.code == Exit.PROBLEMS
    assert "coins.rules.md" in ran.err


def test_scenarios_that_cannot_be_read(command: Command) -> None:
    write({**next(cases()).files, "scenario": 'scenario "x" [CN-001]\n    player ann bob bib\n'})
    ran = command("ledger", "coins.game", "--games", "0")
    assert ran.code == Exit.PROBLEMS
    assert "coins.scenario:2" in ran.err
    assert "6 clauses" in ran.out


def test_a_game_with_mistakes_has_no_ledger(command: Command) -> None:
    write(
        {**next(cases()).files, "game": 'game "Coins"\n    players 2\nplay\n    do nothing_known\n'}
    )
    ran = command("ledger", "coins.game")
    assert ran.code != Exit.BUG and ran.code != Exit.FINE


WITH_RULEBOOK = [
    pytest.param(name, marks=[pytest.mark.slow] if name in LONG else [])
    for name, path in shipped_games().items()
    if "\n    rulebook " in path.read_text("utf-8")
]


@pytest.mark.parametrize("game", WITH_RULEBOOK)
def test_shipped_games_account_for_every_clause(command: Command, game: str) -> None:
    ran = command("ledger", game, "--games", "0", "--format", "json")
    found = json.loads(ran.out)
    assert ran.code == Exit.FINE and found["problems"] == []
    rulebook = (shipped_games()[game].with_suffix(".rules.md")).read_text("utf-8")
    listed = re.findall(r"^- \*\*[A-Z]+-\w+\*\*", rulebook, re.MULTILINE)
    assert found["totals"]["clauses"] == len(listed) > 0 and found["totals"]["missing"] == 0
