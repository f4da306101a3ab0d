"""Equilibris, compared with numbers and rules that were derived without its rules file."""

from __future__ import annotations

import random
from collections import Counter
from csv import DictReader
from itertools import combinations
from pathlib import Path

import pytest

from rulewright.interpreter.matches.state import State
from tests.games.variants import game_named

FOLDER = Path(__file__).parents[2] / "games" / "equilibris"
LINES = (4, 12, 24, 60, 108, 220)  # from the middle of the income grid, of 1 to 6 squares
FACES = ("blue", "red", "yellow", "green", "white")
DICE = random.Random(7)
ROLLS = (
    (1, 6, 1, 6, 6),  # no three, and no two
    (1, 1, 1, 1, 4),  # no three
    *(tuple(DICE.randint(1, 6) for _ in FACES) for _ in range(8)),
)


def table(name: str) -> list[dict[str, str]]:
    """The rows of a table of the game."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8") as file:
        return list(DictReader(file))


def start(faces: dict[str, int]) -> State:
    """Three players, and these dice."""
    state = game_named("equilibris").start(players=3, chance="manual", options={"seating": "fixed"})
    dice = iter(("one of six shares to be shuffled", *FACES))
    while state.at_chance:
        six = len(state.option_ids) == 6
        face = faces.get(next(dice), 1) if six else 1
        state = state.take(state.option_ids[face - 1])
    return state


def ways(state: State, steps: int) -> int:
    """The number of ways to make this many choices."""
    if steps == 0:
        return 1
    return sum(ways(state.choose(option.name), steps - 1) for option in state.decision.options)


@pytest.mark.parametrize(("face", "lines"), tuple(enumerate(LINES, 1)))
def test_lines_from_the_middle(face: int, lines: int) -> None:
    state = start({"yellow": face}).choose("slide(yellow, income)")
    assert ways(state, face) == lines


@pytest.mark.parametrize("shown", ROLLS, ids=str)
def test_squares_that_three_dice_can_shade(shown: tuple[int, ...]) -> None:
    faces: dict[str, int] = dict(zip(FACES, shown, strict=True))
    numbers = {
        row["cell"]: int(row["die_value"])
        for row in table("politics_grid")
        if row["board"] == "board_1"
    }
    values = [faces[die] for die in FACES if die != "yellow"]
    expected = {
        size: {
            cells for cells in combinations(sorted(numbers), size) if fits(cells, numbers, values)
        }
        for size in (1, 2, 3)
    }
    state = start(faces).choose("slide(yellow, politics)")
    if expected[3]:
        assert choosable_squares(state, 3) == expected[3]
        return
    offered = [int(option.name) for option in state.decision.options]
    assert offered == [size for size in (1, 2) if expected[size]]
    for size in offered:
        assert choosable_squares(state.choose(str(size)), size) == expected[size]


def fits(cells: tuple[str, ...], numbers: dict[str, int], values: list[int]) -> bool:
    """Whether squares touch and have the numbers of different dice."""
    met, todo = {cells[0]}, [cells[0]]
    for cell in todo:
        row, column = int(cell[1]), int(cell[2])
        for other in cells:
            if other not in met and abs(int(other[1]) - row) + abs(int(other[2]) - column) == 1:
                met.add(other)
                todo.append(other)
    return len(met) == len(cells) and not Counter(numbers[c] for c in cells) - Counter(values)


def choosable_squares(state: State, size: int) -> set[tuple[str, ...]]:
    """The sets of squares that a player can choose, one square after the other."""
    if size == 0:
        return {()}
    return {
        tuple(sorted((option.name, *rest)))
        for option in state.decision.options
        for rest in choosable_squares(state.choose(option.name), size - 1)
    }


def test_no_chain_can_be_longer_than_the_boxes_with_actions() -> None:
    columns = ("reward_kind", "trade_reward_kind", "warfare_reward_kind")
    names = (
        "science_track",
        "religion_pyramid",
        "warfare_lines",
        "income_grid",
        "politics_lines",
        "culture_wheel",
        "planets",
        "routes",
    )
    boxes = sum(row.get(c) == "action" for name in names for row in table(name) for c in columns)
    text = (FOLDER / "equilibris.game").read_text(encoding="utf-8")
    depth = next(int(line.split()[1]) for line in text.splitlines() if line.startswith("    depth"))
    assert depth == boxes + 1  # the base action is one more option
