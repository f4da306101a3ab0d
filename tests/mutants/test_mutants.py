"""The recorded verdicts on changed rules still hold: scenarios fail where they failed, and the lists fit the rules.

After a change of rules, `python -m tests.mutants GAME` draws and judges again; verdicts on unchanged parts are kept.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from tests.games.variants import LARGE
from tests.mutants.judging import Judge
from tests.mutants.lists import list_of, read_list
from tests.mutants.together import judge_all

ROOT = Path(__file__).parents[2]
GAMES = sorted(LARGE)
SOME = 4
WORDS = {"noticed", "harmless", "survives"}


@pytest.fixture(scope="module", params=GAMES)
def judge(request: pytest.FixtureRequest) -> Judge:
    return Judge.of(request.param)


def unnoticed_changes(judge: Judge, number: int | None) -> list[str]:
    """Changes of the list that their scenario no longer notices."""
    noticed = {one.change: one.by for one in read_list(judge) if one.verdict == "noticed"}
    asked = list(noticed)[:number]
    names = {one.name: one for one in judge.scenarios}
    found = dict(judge_all(judge, asked, lambda change: [names[noticed[change]]]))
    return [f"{one.file}:{one.line}: {one.new}" for one in asked if not found[one]]


def test_the_list_fits_the_rules(judge: Judge) -> None:
    """Every changed line still exists, and each harmless change has a reason."""
    with list_of(judge.game).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = read_list(judge)
    gone = {row["old"] for row in rows} - {judge.text_of(one.change) for one in found}
    assert not gone, "the rules have changed: python -m tests.mutants " + judge.game
    assert {row["verdict"] for row in rows} <= WORDS
    assert all(row["by"] for row in rows if row["verdict"] == "noticed")
    assert all(row["reason"] for row in rows if row["verdict"] == "harmless")


def test_the_document_has_the_figures_of_the_list(judge: Judge) -> None:
    text = (ROOT / "docs" / "implementation.md").read_text(encoding="utf-8")
    assert figures(judge) in text.splitlines()


def figures(judge: Judge) -> str:
    """The line of a game in the table of the document."""
    verdicts = Counter(one.verdict for one in read_list(judge))
    noticed, left = verdicts["noticed"], verdicts["survives"]
    name = judge.game.replace("_", " ").title().replace(" The ", " the ")
    counts = verdicts.total(), noticed, verdicts["harmless"], left
    share = f"{100 * noticed / (noticed + left):.1f} %"
    return f"| {name} | {' | '.join(map(str, counts))} | {share} |"


@pytest.mark.slow
def test_scenarios_notice_some_changes(judge: Judge) -> None:
    assert unnoticed_changes(judge, SOME) == []


@pytest.mark.deep
def test_scenarios_notice_all_changes(judge: Judge) -> None:
    assert unnoticed_changes(judge, None) == []


@pytest.mark.deep
def test_changes_are_judged_alike_together_and_alone() -> None:
    judge = Judge.of("endeavor")
    mutants = read_list(judge)
    some = [one for one in mutants if one.verdict == "noticed"][:60:15]
    some += [one for one in mutants if one.verdict == "harmless"][:2]
    several = [one for one in judge.scenarios if one.name in {mutant.by for mutant in some}]
    together = dict(judge_all(judge, [one.change for one in some], lambda _: several))
    alone = {one.change: judge.judge(one.change, several) for one in some}
    verdicts = {one.change: one.verdict == "noticed" for one in some}
    assert verdicts == {change: bool(by) for change, by in together.items()}
    assert verdicts == {change: bool(by) for change, by in alone.items()}
