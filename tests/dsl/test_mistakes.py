"""Mistakes of the first hours: what is said when one thing in a game is wrong (see `mistakes.md`)."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from rulewright.dsl.loading import load
from rulewright.dsl.reading import SCENARIOS
from rulewright.dsl.render import render
from rulewright.dsl.scene_loading import load_scenes

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "tests" / "corpus" / "mistakes.md"
GAMES = ROOT / "tests" / "corpus" / "mistakes"
CASE = re.compile(
    r"^## (?P<name>[^\n]+)\n\n```change (?P<file>\S+)\n(?P<change>.*?)^```\n\n```text\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
CASES = {found["name"]: found for found in CASE.finditer(PAGE.read_text(encoding="utf-8"))}

FINE = ("a name of two words in a table",)
"""What looks like a mistake and is none."""


def changed(text: str, change: str) -> str:
    """The text with the lines of a change."""
    lines = change.splitlines()
    old = "".join(f"{line[2:]}\n" for line in lines if line.startswith("-"))
    new = "".join(f"{line[2:]}\n" for line in lines if line.startswith("+"))
    assert text.count(old) == 1, old
    return text.replace(old, new)


def shown(case: re.Match[str]) -> list[str]:
    """What is said of the game or the scenarios with the change."""
    file = Path(case["file"])
    for beside in GAMES.glob(f"{file.stem}.*"):
        shutil.copy(beside, ".")
    file.write_text(changed(file.read_text(encoding="utf-8"), case["change"]), encoding="utf-8")
    of = load_scenes if file.suffix == SCENARIOS else load
    checked = file if file.suffix == SCENARIOS else file.with_suffix(".game")
    return [render(problem) + "\n" for problem in of(checked).check()]


def rewrite(name: str, text: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    found = next(each for each in CASE.finditer(page) if each["name"] == name)
    start, end = found.span("text")
    PAGE.write_text(page[:start] + text + page[end:], encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_mistake(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = shown(CASES[name])
    if os.environ.get("UPDATE"):
        rewrite(name, "".join(said))
        return
    assert "".join(said) == CASES[name]["text"]


@pytest.mark.parametrize("name", CASES)
def test_one_mistake_is_one_problem(name: str) -> None:
    text = CASES[name]["text"]
    problems = re.findall(r"^(?:error|warning)\[", text, re.MULTILINE)
    assert len(problems) == (0 if name in FINE else 1)


def test_there_are_mistakes() -> None:
    assert len(CASES) > 80
