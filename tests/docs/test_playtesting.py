"""The page about playtesting shows the figures that its commands print."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.conftest import Command, command
from tests.cli.test_transcripts import pattern
from tests.docs.pages import ROOT, fences

__all__ = ["command"]

PAGE = ROOT / "docs" / "playtesting.md"
FENCES = fences(PAGE)
SHOWN = [
    (line.text.strip(), shown.text)
    for line, shown in pairwise(FENCES)
    if line.word == "sh" and shown.word == "text"
]


def _files() -> None:
    for fence in FENCES:
        if fence.word == "game":
            Path("orchard.game").write_text(fence.text, encoding="utf-8")
        elif fence.word == "file":
            path = Path(fence.info[0])
            path.parent.mkdir(exist_ok=True)
            path.write_text(fence.text, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("line", "shown"), SHOWN, ids=[line.split(" ", 1)[1] for line, _ in SHOWN])
def test_the_output_in_playtesting_is_that_of_the_commands(
    command: Command, line: str, shown: str
) -> None:
    _files()
    ran = command(*line.split()[1:])
    assert ran.code == 0
    assert re.fullmatch(pattern(tuple(shown.splitlines())), ran.out), ran.out


@pytest.mark.slow
def test_the_program_that_goes_on(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    _files()
    assert command("simulate", "orchard.game", "--games", "20", "--out", "plays.sqlite").code == 0
    (python,) = (fence.text for fence in FENCES if fence.word == "python")
    exec(python, {})
    assert capsys.readouterr().out.splitlines()[0] == "earn_2_coins 49"


def test_the_game_is_that_of_the_tutorial() -> None:
    tutorial = fences(ROOT / "docs" / "tutorial.md")
    (game,) = (fence.text for fence in FENCES if fence.word == "game")
    assert game in [fence.text for fence in tutorial]


def test_no_figure_is_left_out() -> None:
    assert len(SHOWN) == 4
