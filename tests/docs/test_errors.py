"""Each problem code has a page: its example has exactly this problem and prints exactly the text, and its cure has no
problem.

UPDATE=1 in the environment writes the texts again: review the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.cli.failures import fault_text
from rulewright.dsl.diagnostics.codes import CODES, Stage
from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.render import render
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.text.faults import RuleFault
from tests.docs.errors import PAGES, read_page, rewrite, write

STEPS = 60  # of a play with the first option each time
SLOW = ("no-progress",)  # a million turns, which take the reference interpreter long

IN_PLAY = [code for code in PAGES if code in CODES and CODES[code].stage is Stage.PLAY]
OF_FILES = [code for code in PAGES if code not in IN_PLAY]


def problems(path: Path) -> tuple[Diagnostic, ...]:
    return (load_scenarios if path.suffix == SCENARIOS else load)(path).check()


def render_all(found: tuple[Diagnostic, ...]) -> str:
    return "".join(render(problem) + "\n" for problem in found)


def fault(path: Path, engine: EngineName) -> RuleFault | None:
    """The outcome of a match that always takes the first option."""
    try:
        state = load_game(path).start(seed=1, engine=engine)
        for _ in range(STEPS):
            if state.over:
                break
            state = state.choose(state.decision.options[0])
    except RuleFault as failure:
        return failure
    return None


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert set(PAGES) == set(CODES)


@pytest.mark.parametrize("code", PAGES)
def test_an_error_page_has_the_expected_form(code: str) -> None:
    page = read_page(code)
    assert page.title == f"# {code}: {CODES[code].title}"
    assert page.sections in (("Example", "Cure"), ("Example", "Cure", "When to leave it"))


@pytest.mark.parametrize("code", OF_FILES)
def test_the_example_of_a_page_has_the_problem_and_its_cure_has_not(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = read_page(code)
    found = problems(write(page.example, Path()))
    shown = render_all(found)
    if os.environ.get("UPDATE"):
        rewrite(code, shown)
        page = read_page(code)
    assert {problem.code for problem in found} == {code}, shown
    assert shown == page.shown
    for name in page.example:
        Path(name).unlink()
    cured = problems(write(page.cure, Path()))
    assert cured == (), render_all(cured)


@pytest.mark.parametrize("code", IN_PLAY)
def test_the_example_of_a_page_has_the_fault_and_its_cure_has_not(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = read_page(code)
    path = write(page.example, Path())
    assert problems(path) == (), render_all(problems(path))
    failure = fault(path, "python")
    assert failure is not None
    shown = fault_text(failure) + "\n"
    if os.environ.get("UPDATE"):
        rewrite(code, shown)
        page = read_page(code)
    assert failure.code == code, shown
    assert shown == page.shown
    others: tuple[EngineName, ...] = ("native",) if code in SLOW else ("native", "reference")
    for engine in others:
        same = fault(path, engine)
        assert same is not None
        assert fault_text(same) + "\n" == shown
    path = write(page.cure, Path())
    assert problems(path) == (), render_all(problems(path))
    assert fault(path, "reference") is None
    assert fault(path, "python") is None
