"""Any loss of a part gives located problems, the same as after an edit, and none when the part is back."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulewright.dsl.diagnostics.render import render
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.editing.workspace.checking import Memory
from tests.editing.test_reuse import findings, problems
from tests.properties.losses import losses
from tests.properties.mutants import PROBES, ROOT, TEMPLATES, no_longer_than

GAMES = ROOT / "games"
SMALL = [
    *PROBES,
    *sorted(TEMPLATES.glob("*/*.game")),
    *(GAMES / f"{name}.game" for name in ("foxglove", "kalah", "love_letter", "night_market")),
]
LARGE = [
    GAMES / name / f"{name}.game"
    for name in ("colonial", "endeavor", "equilibris", "ginkgopolis", "through_the_ages")
]
LONGEST = 60  # seconds


def hold(game: Path, number: int, seed: int) -> None:
    """No loss makes the checker fail; after the edit and after its undo, a check reports the same as a fresh one."""
    chance = Random(seed)
    files, memory = Files(), Memory()
    parts = [path for path in load(game, files=files).parts if path.suffix in (".game", ".csv")]
    texts = {path.name: path.read_text(encoding="utf-8") for path in parts}
    findings(files, game, memory)
    every = list(losses(texts, chance))
    for what, spoilt in chance.sample(every, min(number, len(every))):
        given = {game.parent / name: text for name, text in spoilt.items()}
        try:
            with no_longer_than(LONGEST):
                files.given.update(given)
                reported = problems(files, game, findings(files, game, memory))
                fresh = Files(dict(given))
                assert reported == problems(fresh, game, findings(fresh, game, None))
                for problem in load(game, files=fresh).check():
                    assert render(problem)
                for path in given:
                    del files.given[path]
                assert problems(files, game, findings(files, game, memory)) == set()
        except BaseException as failure:
            failure.add_note(f"{game.name}, {what}")
            raise


@pytest.mark.parametrize("game", SMALL[::4], ids=lambda path: path.stem)
def test_a_deleted_line_is_noticed_or_harmless(game: Path) -> None:
    hold(game, 2, seed=1)


@pytest.mark.deep
@pytest.mark.parametrize("game", SMALL, ids=lambda path: path.stem)
def test_many_deleted_lines_are_noticed_or_harmless(game: Path) -> None:
    hold(game, 150, seed=2)


@pytest.mark.deep
@pytest.mark.parametrize("game", LARGE, ids=lambda path: path.stem)
def test_losses_of_large_games(game: Path) -> None:
    hold(game, 30, seed=3)
