"""Every step of the tutorial is a game without problems that can be played to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import game_of, playout
from tests.docs.pages import ROOT, Example, examples
from tests.docs.test_spec import expect_scenarios_to_hold, problem_texts, write_example

STEPS = examples(ROOT / "docs" / "tutorial.md")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_of_the_tutorial_checks_and_plays(step: Example, tmp_path: Path) -> None:
    path = write_example(step, tmp_path)
    if step.scenarios:
        expect_scenarios_to_hold(path)
        return
    loaded = load(path)
    problems = loaded.check()
    assert problems == (), problem_texts(problems)
    game = game_of("orchard", loaded)
    for players in range(game.facts.low, game.facts.high + 1):
        end = playout(game.compiled(game.variant(players), "reference"), 1, longest=500)
        assert end.over


def test_steps_are_there() -> None:
    assert len(STEPS) == 16
