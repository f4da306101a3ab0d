"""The shipped scenarios and those of the templates hold, in every engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from rulewright.dsl.model.facts import Facts
from rulewright.dsl.scenarios import scenario_loading
from rulewright.dsl.scenarios.scenario_loading import LoadedScenarios, load_together
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.testing.scenarios import Runner
from tests.games.variants import LARGE, LONG, SHIPPED, TEMPLATES

FOLDERS = {shipped_games()[name].parent for name in SHIPPED}
FOLDERS |= {path.parent for path in TEMPLATES.glob("*/*.game")}
BESIDE = {folder: sorted(folder.glob(f"*{SCENARIOS}")) for folder in sorted(FOLDERS)}


def test_there_are_scenarios() -> None:
    assert sum(map(len, BESIDE.values())) >= 4


MARKS = {"reference": [pytest.mark.slow], "native": [pytest.mark.deep]}
ENGINES = [pytest.param(name, marks=MARKS.get(name, [])) for name in get_args(EngineName)]


LATER = {"python": pytest.mark.slow, "reference": pytest.mark.deep, "native": pytest.mark.deep}
"""The reference takes minutes for the large games, which `test_lockstep` compares with it."""
CASES = [
    pytest.param(
        folder, engine.values[0], marks=[*engine.marks, *later], id=f"{folder.name}-{word}"
    )
    for folder in BESIDE
    for word, engine in zip(get_args(EngineName), ENGINES, strict=True)
    for later in [
        [pytest.mark.deep] if folder.name in LONG else [LATER[word]] if folder.name in LARGE else []
    ]
]


@pytest.mark.parametrize(("folder", "engine"), CASES)
def test_scenarios_hold(folder: Path, engine: EngineName) -> None:
    for loaded, results in results_of(folder, engine):
        assert results == loaded.scenario_count


def results_of(folder: Path, engine: EngineName) -> Iterator[tuple[LoadedScenarios, int]]:
    """Each file of scenarios, and the number of its scenarios that were run; all of them hold."""
    runner = Runner(engine)
    for loaded in load_together(BESIDE[folder]):
        assert loaded.problems == ()
        results = [result for program in loaded.programs for result in runner.run(program)]
        failed = [(result.scene.text, result.failure) for result in results if not result.passed]
        assert failed == [], loaded.path
        yield loaded, len(results)


USUAL = 30
"""The fewest scenarios with the same players and options for which a push compiles a program."""


@pytest.mark.slow(reason="the four programs of the longest games take most of the time to compile")
@pytest.mark.parametrize("name", sorted(LONG))
def test_scenarios_with_usual_options_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the two longest games: nine of ten scenarios need a seventh of the programs."""
    together = scenario_loading._together

    def usual_together(drafts: Sequence[scenario_loading._Draft], known: Facts) -> Any:
        counts = Counter[object]()
        for draft in drafts:
            counts.update({terms: len(members) for terms, members in draft.groups.items()})
        for draft in drafts:
            for terms in [terms for terms in draft.groups if counts[terms] < USUAL]:
                del draft.groups[terms]
        return together(drafts, known)

    monkeypatch.setattr(scenario_loading, "_together", usual_together)
    ran = [*results_of(shipped_games()[name].parent, "python")]
    assert sum(count for _, count in ran) > 0.9 * sum(loaded.scenario_count for loaded, _ in ran)
