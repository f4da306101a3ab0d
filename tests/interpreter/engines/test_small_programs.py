"""The smallest programs that once failed: `check` reports the problems on their page, and all engines agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.testing.scenarios import run_scenarios
from tests.docs.pages import Example, examples
from tests.docs.test_spec import matters, problem_texts, write_example
from tests.interpreter.lockstep import Runners, lockstep, plays_at_random

PAGES = sorted((Path(__file__).parents[2] / "corpus" / "programs").glob("*.md"))
EXAMPLES = [example for page in PAGES for example in examples(page)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_small_program_gives_the_expected_result(example: Example, tmp_path: Path) -> None:
    path = write_example(example, tmp_path)
    if example.scenarios:
        _expect_scenarios_to_hold(path)
        return
    loaded = load(path)
    problems = loaded.check()
    codes = tuple(found.code for found in problems if matters(example, found))
    assert codes == example.problems, problem_texts(problems)
    if example.problems:
        return
    game = game_of("program", loaded)
    runners = Runners(game.compiled(game.variant(game.facts.low)).program)
    for seed in range(2):
        lockstep(runners, seed, 40)
        plays_at_random(runners, seed, 40)


def _expect_scenarios_to_hold(path: Path) -> None:
    loaded = load_scenarios(path)
    assert not loaded.problems, problem_texts(loaded.problems)
    results = [result for program in loaded.programs for result in run_scenarios(program)]
    assert results
    for result in results:
        failure = result.failure
        assert failure is None, (failure.expected, failure.found, failure.span.text)
