"""Through the Ages: every number in a table is used. If it is changed, a total or a scenario fails.

One cell of each column of numbers is changed, in a copy of the tables. It tests neither whether the numbers are the
printed ones, nor whether a rule reads the other cells of the column: `test_every_card` tests each symbol.
"""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
import pytest

from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.testing.scenarios import Runner
from tests.games.test_reached import scenarios_of

GAME = shipped_games()["through_the_ages"]
FOLDER = GAME.parent
NUMBERS = re.compile(r"-?\d+\+?(?: -?\d+)*")
SETTINGS = tuple(
    {"mode": mode, "global_conflict": "no", "resigning": "no"}
    for mode in ("full", "first_game", "peaceful_with_pacts")
)
"""Columns with printed totals are checked by these; the scenarios check the others."""
HINTS = {
    "blue_bank_lookup": ("production",),
    "card_row": ("civil_actions",),
    "governments": ("first_rounds", "civil_actions"),
    "final_scoring_first_game": ("last_events",),
    "player_setup": ("first_rounds",),
    "ranking_scores": ("last_events",),
    "setup_by_players": ("first_rounds",),
    "yellow_bank_lookup": ("civil_actions", "production"),
}
"""The scenarios about tables that are not tables of cards."""
ELSEWHERE = {("tactics", "strength_outdated"): "classic_army"}
"""Columns whose first number has no effect: no army of a tactic of Age I is outdated."""
SEVERAL = 3
"""Files whose scenarios run faster together than one by one."""
SCENE = re.compile(r'^scenario "([^"]+)".*?(?=^scenario |^beginning |\Z)', re.MULTILINE | re.DOTALL)


@attrs.frozen
class Cell:
    """A number in a table, and its replacements, the better one first."""

    table: str
    row: int
    column: str
    name: str
    others: tuple[str, ...]

    def write(self, folder: Path, other: str) -> None:
        """Write the table into a folder, with another number in this cell."""
        rows = rows_of(self.table)
        rows[self.row][rows[0].index(self.column)] = other
        with (folder / f"{self.table}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)


def rows_of(table: str) -> list[list[str]]:
    with (FOLDER / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def cells() -> Iterator[Cell]:
    """One cell of each column of numbers: the first that is not 0, if there is one."""
    for table in sorted(path.stem for path in FOLDER.glob("*.csv")):
        rows = rows_of(table)
        for at, column in enumerate(rows[0]):
            found = [n for n, row in enumerate(rows) if n and NUMBERS.fullmatch(row[at])]
            if found:
                wanted = ELSEWHERE.get((table, column))
                row = next(
                    (n for n in found if wanted in (None, rows[n][0]) and rows[n][at] != "0"),
                    found[0],
                )
                first, *rest = rows[row][at].removesuffix("+").split()
                others = (int(first) + 1, int(first) - 1)
                texts = tuple(" ".join((str(other), *rest)) for other in others)
                yield Cell(table, row, column, rows[row][0], texts)


CELLS = tuple(cells())


def totals_object(tables: Path) -> bool | None:
    """Whether the printed totals contradict the tables; None if the tables cannot be read."""
    rules = load(GAME, reach=Reach(tables))
    if rules.problems:
        return None
    messages = [problem.message for given in SETTINGS for problem in rules.problems_of(3, given)]
    if any("does not hold" in message for message in messages):
        return True
    return None if messages else False


def some_scenario_fails(cell: Cell, tables: Path) -> bool:
    """Whether a scenario fails that names the card or is about the table."""
    hints = HINTS.get(cell.table, ())
    for path in sorted(scenarios_of("through_the_ages"), key=lambda path: path.stem not in hints):
        scenes = SCENE.finditer(path.read_text(encoding="utf-8"))
        named = [scene[1] for scene in scenes if re.search(rf"\b{cell.name}\b", scene[0])]
        is_whole = path.stem in hints or len(named) > SEVERAL
        for only in [None] if is_whole else named:
            loaded = load_scenarios(path, reach=Reach(tables), only=only, shipped=shipped_games)
            runner = Runner("reference")
            if any(not result.passed for one in loaded.programs for result in runner.run(one)):
                return True
    return False


def found_out(cell: Cell, others: Sequence[str], tables: Path) -> bool:
    """Whether another number in this cell is noticed."""
    for other in others:
        cell.write(tables, other)
        objects = totals_object(tables)
        if objects is not None:
            return objects or some_scenario_fails(cell, tables)
    return True


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    for path in FOLDER.glob("*.csv"):
        shutil.copy(path, tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("wonders", "total_cost"),
        *(
            pytest.param(table, column, marks=pytest.mark.deep)
            for table, column in (("card_row", "cleared_3p"), ("tactics", "copies_2p"))
        ),
    ],
)
def test_a_total_objects(tables: Path, table: str, column: str) -> None:
    (cell,) = (cell for cell in CELLS if (cell.table, cell.column) == (table, column))
    assert totals_object(tables) is False
    cell.write(tables, cell.others[0])
    assert totals_object(tables) is not False


@pytest.mark.deep
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.table}-{cell.column}")
def test_another_number_is_found_out(tables: Path, cell: Cell) -> None:
    assert found_out(cell, cell.others, tables)


def test_the_kinds_of_cards_come_to_the_number_of_cards() -> None:
    """The text after the printed totals."""
    header, *rows = rows_of("deck_composition")
    for row in rows:
        of = dict(zip(header, row, strict=True))
        kinds = [int(part.split()[1]) for part in of["by_kind"].split("; ") if part]
        assert sum(kinds) == int(of["cards"]), row
