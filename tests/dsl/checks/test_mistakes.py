"""Messages for single mistakes: typical mistakes of beginners, and a catalogue (see the pages)."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.dsl.diagnostics.render import render
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.dsl.text.reading import SCENARIOS

ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "tests" / "corpus"
HABITS = CORPUS / "habits.md"
BRIEF = CORPUS / "more_slips.txt"
"""Cases in short: the change and the words of the message, without the picture of its line."""
PAGES = [*(CORPUS / name for name in ("mistakes.md", "catalogue.md", "slips.md")), HABITS, BRIEF]
GAMES = ROOT / "tests" / "corpus" / "mistakes"
CASE = re.compile(
    r"^## (?P<name>[^\n]+)\n\n```change (?P<file>\S+)\n(?P<change>.*?)^```\n\n```text\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
BRIEF_CASE = re.compile(
    r"^## (?P<name>[^\n]+)\n(?P<change>(?:[-+.][^\n]*\n)+)(?P<text>[^\n]+\n +--> (?P<file>[^:]+).*?\n)(?=\n## |\Z)",
    re.MULTILINE | re.DOTALL,
)
PLACE = re.compile(r"^ +-->.*\n|^ *\d* +\|.*\n", re.MULTILINE)
SOURCE_LINE = re.compile(r"^ *\d* \|.*\n", re.MULTILINE)


def cases(page: Path) -> Iterator[re.Match[str]]:
    return (BRIEF_CASE if page == BRIEF else CASE).finditer(page.read_text(encoding="utf-8"))


CASES = {found["name"]: found for page in PAGES for found in cases(page)}

QUOTED = re.compile(r"`[^`]*`|\d+")


def one_of_each_kind() -> Iterator[Any]:
    """All cases. Many are about a word that does not fit into a line. Those whose message differs from an earlier one
    only in its quotations are marked `deep`. For `test_hints.py` compares the quoted line with the table of hints. To
    write messages, all cases run."""
    met: set[str] = set()
    for name, case in CASES.items():
        words = " ".join(QUOTED.sub("", PLACE.sub("", case["text"])).split())
        is_deep = "does not fit" in words and words in met and not os.environ.get("UPDATE")
        met.add(words)
        yield pytest.param(name, marks=[pytest.mark.deep] if is_deep else [])


FINE = ("a name of two words in a table",)
"""Rules that look like mistakes and are correct."""


def apply_change(text: str, change: str) -> str:
    """The text with the lines of a change; `...` separates several changes."""
    for part in change.split("...\n"):
        lines = part.splitlines()
        old = "".join(f"{line[2:]}\n" for line in lines if line.startswith("-"))
        new = "".join(f"{line[2:]}\n" for line in lines if line.startswith("+"))
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def messages_of(case: re.Match[str]) -> list[str]:
    """The messages about the game or the scenarios with the change."""
    file = Path(case["file"])
    for beside in GAMES.glob(f"{file.stem}.*"):
        shutil.copy(beside, ".")
    file.write_text(
        apply_change(file.read_text(encoding="utf-8"), case["change"]), encoding="utf-8"
    )
    of = load_scenarios if file.suffix == SCENARIOS else load
    checked = file if file.suffix == SCENARIOS else file.with_suffix(".game")
    texts = [render(problem) + "\n" for problem in of(checked).check()]
    return [SOURCE_LINE.sub("", text) for text in texts] if case.re is BRIEF_CASE else texts


def rewrite(name: str, text: str) -> None:
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        for found in [each for each in cases(path) if each["name"] == name]:
            start, end = found.span("text")
            path.write_text(page[:start] + text + page[end:], encoding="utf-8")


@pytest.mark.parametrize("name", [*one_of_each_kind()])
def test_a_mistake_gets_the_message_written_beside_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = messages_of(CASES[name])
    if os.environ.get("UPDATE"):
        rewrite(name, "".join(said))
        return
    assert "".join(said) == CASES[name]["text"]


def test_one_mistake_is_one_problem() -> None:
    def problems(name: str) -> int:
        return len(re.findall(r"^(?:error|warning)\[", CASES[name]["text"], re.MULTILINE))

    wrong = {name: found for name in CASES if (found := problems(name)) != 1}
    assert wrong == dict.fromkeys(FINE, 0)


CATALOGUE = {
    "unknown name",
    "duplicate name",
    "unused name",
    "shadowed name",
    "wrong type",
    "out of range",
    "a cell that does not fit",
    "a zone that cannot hold it",
    "placed nowhere or twice",
    "an action that nothing offers",
    "a phase that nothing reaches",
    "an endless loop",
    "recursion without a depth",
    "a choice that can be empty",
    "too many options",
    "an ending that scores nobody",
    "a secret",
    "clauses",
}
"""Problems that must be found before a turn is played."""


def test_there_are_mistakes() -> None:
    assert len(CASES) == 979
    assert {name.partition(":")[0] for name in CASES if ":" in name} == CATALOGUE


@pytest.mark.parametrize("game", ["harbor", "tic_tac_toe", "love_letter", "night_market"])
def test_without_the_mistake_nothing_is_wrong(game: str) -> None:
    assert load(GAMES / f"{game}.game").check() == ()


def test_independent_mistakes_are_reported_in_one_run(tmp_path: Path) -> None:
    """If several declarations each have a mistake, each mistake is reported once."""
    text = (GAMES / "harbor.game").read_text(encoding="utf-8")
    for old, new in (
        ("me.coins > 0", "me.coin > 0"),
        ("1..9 = 1", "1..9 = 12"),
        ("two, blue, 2", "two, green, 2"),
        ("do bonus(1)", "do bonsu(1)"),
        ("p.wealth", "p.welth"),
        ("until round is 9", "until round is red"),
        ("tokens of cube = 5", "tokens of cub = 5"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = tmp_path / "harbor.game"
    path.write_text(text, encoding="utf-8")
    shutil.copy(GAMES / "harbor.rules.md", tmp_path)
    found = [(problem.code, problem.span.text) for problem in load(path).check()]
    assert found == [
        ("table-bad-cell", "green"),
        ("unknown-name", "cub"),
        ("out-of-range", "12"),
        ("unknown-attribute", "coin"),
        ("wrong-type", "round is red"),
        ("unknown-action", "bonsu(1)"),
        ("unknown-attribute", "welth"),
    ]
