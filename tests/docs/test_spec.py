"""Every example of the specification does what its page says: see `pages` for the kinds of blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.diagnostics.render import render
from rulewright.dsl.loading.loading import Loaded, load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.matches.game import game_of, playout
from rulewright.interpreter.testing.scenarios import run_scenarios
from tests.docs.pages import SPEC, Example, examples

CHOICES = 60  # of a random match; not every example ends
EXAMPLES = [example for page in sorted(SPEC.glob("*.md")) for example in examples(page)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_of_the_specification_holds(example: Example, tmp_path: Path) -> None:
    path = write_example(example, tmp_path)
    if example.scenarios:
        expect_scenarios_to_hold(path)
        return
    loaded = load(path)
    problems = loaded.check()
    codes = tuple(found.code for found in problems if matters(example, found))
    assert codes == example.problems, problem_texts(problems)
    if not example.problems:
        play_at_random(loaded)


def write_example(example: Example, folder: Path) -> Path:
    """Write an example into files; returns the file to run."""
    path = folder / "example.game"
    path.write_text(example.game, encoding="utf-8")
    for name, text in example.files:
        (folder / name).write_text(text, encoding="utf-8")
    if example.scenarios:
        path = folder / "example.scenario"
        path.write_text(example.scenarios, encoding="utf-8")
    return path


def matters(example: Example, found: Diagnostic) -> bool:
    """Fragments are not whole games, so only requested warnings count."""
    listed = found.code in example.problems
    return example.whole or listed or found.severity is Severity.ERROR


def play_at_random(loaded: Loaded) -> None:
    """A short match with the fewest players and one with the most, always taking the first option."""
    game = game_of("example", loaded)
    for players in sorted({game.facts.low, game.facts.high}):
        for seed in (1, 2):
            compiled = game.compiled(game.variant(players), "reference")
            playout(compiled, seed, longest=CHOICES)


def expect_scenarios_to_hold(path: Path) -> None:
    loaded = load_scenarios(path)
    assert not loaded.problems, problem_texts(loaded.problems)
    results = [result for program in loaded.programs for result in run_scenarios(program)]
    assert results
    for result in results:
        failure = result.failure
        assert failure is None, (failure.expected, failure.found, failure.span.text)


def problem_texts(problems: tuple[Diagnostic, ...]) -> str:
    return "\n\n".join(render(found) for found in problems)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 100
