"""The shipped scenarios and those of the templates hold, in every engine."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from rulewright.dsl.scenarios.scenario_loading import load_together
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.testing.scenarios import Runner
from tests.games.variants import LARGE, SHIPPED, TEMPLATES

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
    for later in [[LATER[word]] if folder.name in LARGE else []]
]


@pytest.mark.parametrize(("folder", "engine"), CASES)
def test_scenarios_hold(folder: Path, engine: EngineName) -> None:
    runner = Runner(engine)
    for loaded in load_together(BESIDE[folder]):
        assert loaded.problems == ()
        results = [result for program in loaded.programs for result in runner.run(program)]
        assert len(results) == loaded.scenario_count
        failed = [(result.scene.text, result.failure) for result in results if not result.passed]
        assert failed == [], loaded.path
