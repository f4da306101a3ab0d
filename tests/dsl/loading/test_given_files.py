"""Files that are open in an editor and not yet on the disk are read, counted, and found by near names."""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios

GAME = 'game "Given"\n    players 2\n{}play\n    win me\n'


def helps(path: Path, files: Files) -> list[str]:
    return [problem.help for problem in load(path, files=files).check()]


def test_near_names_of_files_that_are_not_saved(tmp_path: Path) -> None:
    game = tmp_path / "given.game"
    game.write_text(GAME.format('include "crads.game"\n'), encoding="utf-8")
    assert (
        helps(game, Files())[0]
        == 'name a rules file in the same folder as this one: `include "map.game"`'
    )
    files = Files({tmp_path / "cards.game": "# nothing yet\n"})
    assert helps(game, files)[0] == "did you mean `cards.game`?"


def test_near_names_of_tables_that_are_not_saved(tmp_path: Path) -> None:
    game = tmp_path / "given.game"
    game.write_text(GAME.format('piece Card from "crads.csv"\n'), encoding="utf-8")
    files = Files({tmp_path / "cards.csv": "Name,number\na,1\n"})
    assert "did you mean `cards.csv`?" in helps(game, files)
    assert "did you mean `cards.csv`?" not in helps(game, Files())


def test_scenarios_of_a_game_that_is_not_saved(tmp_path: Path) -> None:
    scenario = tmp_path / "given.scenario"
    scenario.write_text(
        'game "gven.game"\nscenario "ends"\n    expect game_over\n', encoding="utf-8"
    )
    files = Files({tmp_path / "given.game": GAME.format("")})
    (problem,) = load_scenarios(scenario, files=files).check()
    assert problem.help == "did you mean `given.game`?"
    scenario.write_text(
        'game "given.game"\nscenario "ends"\n    expect game_over\n', encoding="utf-8"
    )
    assert "no-such-game" not in {one.code for one in load_scenarios(scenario, files=files).check()}
