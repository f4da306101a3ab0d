"""Each recipe of the cookbook checks clean and plays, and its scenario holds because of its key line."""

from __future__ import annotations

import csv
from pathlib import Path

import attrs
import pytest

from rulewright.dsl.diagnostics.diagnostics import Severity
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.matches.game import game_of, playout
from rulewright.interpreter.testing.scenarios import run_scenarios
from tests.docs.recipes import COOKBOOK, PAGES, Recipe, recipes, without_key
from tests.docs.test_spec import expect_scenarios_to_hold, problem_texts, write_example

RECIPES = [recipe for page in PAGES for recipe in recipes(page)]
RUN = [recipe for recipe in RECIPES if recipe.games]
LINES = range(5, 41)
RUNNABLE = 177  # the others are dexterity, real time, drawing and free talk


@pytest.mark.parametrize("recipe", RUN, ids=lambda r: r.name)
def test_a_recipe_checks_and_plays(recipe: Recipe, tmp_path: Path) -> None:
    game, scenario = recipe.games
    assert game.game.count("\n") - game.game.count("\n\n") in LINES
    loaded = load(write_example(game, tmp_path))
    problems = loaded.check()
    assert problems == (), problem_texts(problems)
    made = game_of("example", loaded)
    for players in sorted({made.facts.low, made.facts.high}):
        assert playout(made.compiled(made.variant(players), "reference"), 1, longest=2000).over
    expect_scenarios_to_hold(write_example(scenario, tmp_path))


@pytest.mark.parametrize(
    "recipe",
    [
        pytest.param(recipe, marks=[pytest.mark.deep] if number % 8 else [], id=recipe.name)
        for number, recipe in enumerate(RUN)
    ],
)
def test_a_scenario_needs_the_key_line(recipe: Recipe, tmp_path: Path) -> None:
    """Without the key line the game still checks clean, so the scenario fails because of the missing effect."""
    scenario = recipe.games[1]
    changed = attrs.evolve(scenario, game=without_key(recipe, scenario.game))
    path = write_example(changed, tmp_path)
    problems = load(path.with_suffix(".game")).check()
    errors = tuple(found for found in problems if found.severity is Severity.ERROR)
    assert errors == (), problem_texts(errors)
    scenes = load_scenarios(path)
    results = [result for program in scenes.programs for result in run_scenarios(program)]
    assert scenes.problems or any(result.failure is not None for result in results)


def test_each_recipe_answers_listed_mechanisms() -> None:
    listed = mechanisms()
    assert {one.name: one.answers for one in RECIPES if not set(one.answers) <= listed} == {}
    assert [one.name for one in RECIPES if one.games and "](../spec/" not in one.text] == []


def test_every_mechanism_is_answered() -> None:
    assert mechanisms() - {name for recipe in RECIPES for name in recipe.answers} == set()
    runnable = {name for recipe in RECIPES if recipe.games for name in recipe.answers}
    assert len(runnable) >= RUNNABLE


def mechanisms() -> set[str]:
    with (COOKBOOK / "mechanisms.csv").open(encoding="utf-8", newline="") as lines:
        return {row["mechanism"] for row in csv.DictReader(lines)}
