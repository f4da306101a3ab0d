"""The outline of square and hexagonal cells, compared with a walk over the places of the cells."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulewright.dsl.model.grids import Grid, grid_of
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.testing.scenarios import run_scenarios

GAME = """game "Outlines"
    players 2
space Cell grid SHAPE
play
    each player
        log "{me}"
score of p
    item "cells" = Cell.size
winner p by p.total
"""
GRIDS = {
    "5 by 5": ("square", 5, 5),
    "hex 5 by 5": ("hex", 5, 5),
    "rhombus 5 by 5 from top": ("rhombus", 5, 5),
}


@pytest.mark.parametrize("shape", GRIDS)
def test_the_outline_is_all_that_lies_beside_cells_without_holes(
    tmp_path: Path, shape: str
) -> None:
    name, width, height = GRIDS[shape]
    places = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)]
    grid = grid_of(name, 0, places, shape.endswith("top"))
    (tmp_path / "outlines.game").write_text(GAME.replace("SHAPE", shape), encoding="utf-8")
    lines = ['scenario "outlines"', "    player ann, bob"]
    random = Random(shape)
    for _ in range(10):
        cells = grown(grid, random)
        beside = {n for cell in cells for n in grid.neighbors[cell]} - {*cells}
        text, around = (
            ", ".join("Cell({}, {})".format(*places[n]) for n in each) for each in (cells, beside)
        )
        lines.append(f"    expect ({text}).outline.size is {len(beside)}")
        lines.append(f"    expect all(c in ({around}): c in ({text}).outline)")
    path = tmp_path / "outlines.scenario"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    loaded = load_scenarios(path)
    assert loaded.problems == ()
    for program in loaded.programs:
        assert [each.failure for each in run_scenarios(program)] == [None]


def grown(grid: Grid, random: Random) -> list[int]:
    """Connected cells in the inner part of a grid, with the cells that they enclose."""
    inner = [n for n, (x, y) in enumerate(grid.places) if 1 < x < 5 and 1 < y < 5]
    found = [random.choice(inner)]
    for _ in range(random.randrange(1, 6)):
        near = {n for cell in found for n in grid.neighbors[cell] if n in inner} - {*found}
        found.append(random.choice(sorted(near)))
    outside = {0}
    waiting = [0]
    directions = (1, 2, 3, 5, 6, 7) if grid.is_hex else tuple(range(8))
    beside = grid.beside(directions)
    while waiting:
        new = {*beside[waiting.pop()]} - outside - {*found}
        outside |= new
        waiting += new
    return sorted({*range(len(grid.places))} - outside)
