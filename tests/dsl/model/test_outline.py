"""The outline of a set of cells: every cell around it that can be reached from outside, clockwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.matches.state import State

GAME = """\
game "Walls"
    players 2
space Cell grid 9 by 9
    state is_built: Flag
value wall = list(c in Cell where c.is_built).outline
invariant "the wall is outside" = all(c in wall: not c.is_built)
play
    each player
        choose cell in Cell
        set cell.is_built to yes
score of p
    item "wall" = wall.size
winner p by p.total then shared
"""
Place = tuple[int, int]


@pytest.fixture(scope="module")
def walls(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path: Path = tmp_path_factory.mktemp("walls") / "walls.game"
    path.write_text(GAME)
    return load_game(path)


def outline(game: Game, built: set[Place]) -> list[Place]:
    """The result of the language: the value `wall` of a state in which these cells are built."""
    state: State = game.start(2)
    program = state.compiled.program
    (kind,) = program.spaces
    (kept,) = [k for k in program.kept if k.name == "is_built"]
    cells = state.cells[:]
    for number, place in enumerate(kind.places):
        cells[kept.base + number * kept.stride] = int(place in built)
    (wall,) = [v for v in program.values if v.name == "wall"]
    found = state.compiled.list(cells, wall.procedure)
    return [kind.places[n - kind.first] for n in found if isinstance(n, int)]


PICTURES = {
    "one cell": (("#",), ["01", "10", "0-1", "-10"]),
    "a corner": (("#.", "##"), ["02", "11", "20", "1-1", "0-1", "-10", "-11"]),
    "two arms that touch nowhere": (
        ("#.#", "###"),
        ["02", "11", "22", "31", "30", "2-1", "1-1", "0-1", "-10", "-11"],
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_clockwise_from_the_north_west(walls: Game, name: str) -> None:
    picture, expected = PICTURES[name]
    built = {
        (4 + x, 4 + y)
        for y, line in enumerate(reversed(picture))
        for x, character in enumerate(line)
        if character == "#"
    }
    shown = [f"{x - 4}{y - 4}" for x, y in outline(walls, built)]
    assert shown == expected


def test_of_nothing_is_empty(walls: Game) -> None:
    assert outline(walls, set()) == []


@given(steps=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), max_size=30))
def test_all_that_is_beside_and_outside(walls: Game, steps: list[tuple[int, int]]) -> None:
    built: list[Place] = [(5, 5)]
    for number, direction in steps:
        x, y = built[number % len(built)]
        dx, dy = ((0, 1), (1, 0), (0, -1), (-1, 0))[direction]
        place = (x + dx, y + dy)
        if 2 <= place[0] <= 8 and 2 <= place[1] <= 8 and place not in built:
            built.append(place)
    found = outline(walls, set(built))
    assert len(found) == len(set(found))
    assert set(found) == beside_outside(set(built))
    top = max(y for _, y in built)
    assert found[0] == (min(x for x, y in built if y == top), top + 1)


def beside_outside(built: set[Place]) -> set[Place]:
    """Cells beside built ones that can be reached from the edge; a path may go diagonally between corners."""
    outside, edge = {(1, 1)}, [(1, 1)]
    while edge:
        x, y = edge.pop()
        for place in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            inside = 1 <= place[0] <= 9 and 1 <= place[1] <= 9
            if inside and place not in built and place not in outside:
                outside.add(place)
                edge.append(place)
    sides = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return {(x + dx, y + dy) for x, y in built for dx, dy in sides} & outside
