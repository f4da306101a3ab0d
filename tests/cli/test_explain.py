"""`rulewright explain`: pages, the list of codes, unknown codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.codes import CODES, Stage
from tests.cli.conftest import Command


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_explained_by_its_page(command: Command, code: str) -> None:
    ran = command("explain", code)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == f"{code}: {CODES[code].title}"
    assert {"Example", "Cure"} <= set(lines)
    assert "```" not in ran.out
    assert "](" not in ran.out
    assert not [line for line in lines if len(line) > 80 and not line.startswith("    ")]


def test_all_codes_are_listed(command: Command) -> None:
    ran = command("explain")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines() if line.startswith("  ")] == [*CODES]
    assert all(stage.value in ran.out.splitlines() for stage in Stage)


def test_an_explanation_becomes_json(command: Command) -> None:
    listed = json.loads(command("explain", "--format", "json").out)
    assert [entry["code"] for entry in listed] == [*CODES]
    page = json.loads(command("explain", "wrong-type", "--format", "json").out)
    assert page["page"].startswith("# wrong-type: ")
    assert {**page, "page": ""} == {**listed[[*CODES].index("wrong-type")], "page": ""}


@pytest.mark.parametrize(
    "word", ["error[wrong-type]", "error[wrong-type]:", "[wrong-type]", "Wrong_Type"]
)
def test_codes_as_they_are_copied(command: Command, word: str) -> None:
    assert command("explain", word) == command("explain", "wrong-type")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("mising-effect", "`mising-effect`; did you mean `missing-effect`?"),
        ("ending", "`ending`; did you mean `no-ending`?"),
        ("qqq", "`qqq`; `rulewright explain` lists all"),
        ("", "``; `rulewright explain` lists all"),
        ("x\x1b[2J" * 99, "`rulewright explain` lists all"),
    ],
)
def test_an_unknown_code_gets_near_codes(command: Command, word: str, said: str) -> None:
    ran = command("explain", word)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "\x1b" not in ran.err
    assert len(ran.err) < 200


def test_the_way_from_a_problem_to_its_page(command: Command) -> None:
    Path("small.game").write_text('game "Small"\n', encoding="utf-8")
    summary = command("check", "small.game").out.splitlines()[-1]
    assert summary == "1 problem in 1 file; `rulewright explain no-game-line` tells more"
