"""A table with errors is read once for all choices of options, and again at the next check."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.model import declaring, records
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared
from rulewright.editing.workspace.checking import Memory
from tests.editing.test_reuse import CARDS, TABLES, findings, problems


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "cards.game"
    for name, text in {"cards.game": CARDS, **TABLES}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return path


def fresh(game: Path) -> set[str]:
    """The problems that a first check reports."""
    return {*map(repr, load(game).check())}


def test_a_cell_that_does_not_fit_is_found_once_for_each_number_of_players(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, memory = Files(), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    numbered: list[int] = []
    usual = records.number_records

    def number(model: Model, listed: Sequence[declared.Declaration]) -> None:
        numbered.append(model.config.players)
        usual(model, listed)

    monkeypatch.setattr(declaring, "number_records", number)
    table = game.with_name("cards.csv")
    for wrong in ("fish,3,12", "fish,3,13"):
        table.write_text(TABLES["cards.csv"].replace("fish,3,2", wrong), encoding="utf-8")
        reported = problems(files, game, findings(files, game, memory))
        assert numbered == [2, 3]
        numbered.clear()
        assert len(reported) == 1 and reported == fresh(game)
        numbered.clear()
    # A cell of another table gets its number, but not beside an error.
    steps = game.with_name("steps.csv")
    steps.write_text(TABLES["steps.csv"].replace("7,7", "7,8"), encoding="utf-8")
    assert problems(files, game, findings(files, game, memory)) == fresh(game)
    table.write_text(TABLES["cards.csv"], encoding="utf-8")
    assert problems(files, game, findings(files, game, memory)) == set() == fresh(game)


def test_a_missing_table_suggests_a_similar_file(game: Path) -> None:
    files, memory = Files(), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    table = game.with_name("cards.csv")
    table.rename(game.with_name("other.csv"))
    assert problems(files, game, findings(files, game, memory)) == fresh(game)
    game.with_name("other.csv").rename(game.with_name("card.csv"))
    reported = problems(files, game, findings(files, game, memory))
    assert "card.csv" in next(iter(reported))
    assert reported == fresh(game)
