"""The shipped scenarios and those of the templates hold, in every engine."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from rulewright.dsl.scenes.scene_loading import load_scenes
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.plays.library import shipped_games
from rulewright.interpreter.studies.scenes import run_scenes
from tests.games.settings import LONG, TEMPLATES

FOLDERS = {path.parent for path in (*shipped_games().values(), *TEMPLATES.glob("*/*.game"))}
FILES = sorted(path for folder in FOLDERS for path in folder.glob(f"*{SCENARIOS}"))


def test_there_are_scenarios() -> None:
    assert len(FILES) >= 4


MARKS = {"reference": [pytest.mark.slow], "native": [pytest.mark.deep]}
ENGINES = [pytest.param(name, marks=MARKS.get(name, [])) for name in get_args(EngineName)]


LATER = {"python": pytest.mark.slow, "reference": pytest.mark.deep, "native": pytest.mark.deep}
CASES = [
    pytest.param(path, engine.values[0], marks=[*engine.marks, *later], id=f"{path.stem}-{word}")
    for path in FILES
    for word, engine in zip(get_args(EngineName), ENGINES, strict=True)
    for later in [[LATER[word]] if path.parent.name in LONG else []]
]


@pytest.mark.parametrize(("path", "engine"), CASES)
def test_scenarios_hold(path: Path, engine: EngineName) -> None:
    loaded = load_scenes(path)
    assert loaded.problems == ()
    results = [result for program in loaded.programs for result in run_scenes(program, engine)]
    assert len(results) == loaded.scenario_count
    assert [(result.scene.text, result.failure) for result in results if not result.passed] == []
