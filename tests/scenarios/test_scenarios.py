"""Runs the pages beside it: games, scenarios, and their expected output.

REWRITE=1 in the environment writes failed expectations again: review the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.cli.conftest import Command, command

FOLDER = Path(__file__).parent
FENCE = re.compile(r"^```(game|scenario|output)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VERBS = {
    "to_move": "test",
    "mistakes": "test",
    "secrets": "test",
    "problems": "check",
    "defects": "test",
    "refused": "check",
}

__all__ = ["command"]


@attrs.frozen
class Case:
    """Scenarios of a game, and the expected output; `start..end` is the place of the output."""

    page: str
    line: int
    game: str
    scenarios: str
    output: str
    start: int
    end: int


def cases(page: str) -> Iterator[Case]:
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    game = scenarios = ""
    for found in FENCE.finditer(text):
        match found[1]:
            case "game":
                game = found[2]
            case "scenario":
                scenarios = found[2]
            case _:
                line = text.count("\n", 0, found.start()) + 1
                yield Case(page, line, game, scenarios, found[2], found.start(2), found.end(2))


def output_of(command: Command, case: Case) -> str:
    Path("small.game").write_text(case.game, encoding="utf-8")
    Path("small.scenario").write_text(case.scenarios, encoding="utf-8")
    ran = command(VERBS[case.page], "small.scenario" if case.scenarios else "small.game")
    return f"{ran.out}{ran.err}".rstrip("\n") + f"\n[exit {ran.code}]\n"


@pytest.mark.parametrize("page", VERBS)
def test_the_verdict_is_printed_as_expected(command: Command, page: str) -> None:
    differing = []
    for case in cases(page):
        output = output_of(command, case)
        if output != case.output:
            differing.append((case, output))
    if os.environ.get("REWRITE"):
        path = FOLDER / f"{page}.md"
        text = path.read_text(encoding="utf-8")
        for case, output in reversed(differing):
            text = text[: case.start] + output + text[case.end :]
        path.write_text(text, encoding="utf-8")
        return
    assert [(case.line, output) for case, output in differing] == []


@pytest.mark.parametrize("page", sorted({*VERBS} - {"refused"}))
def test_no_game_has_a_problem(command: Command, page: str) -> None:
    for case in cases(page):
        Path("small.game").write_text(case.game, encoding="utf-8")
        ran = command("check", "small.game")
        assert ran.code == 0 or "error" not in ran.out, (case.line, ran.out)
