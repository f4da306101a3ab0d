"""Corners and edges of grids, compared with polygons drawn around the centres of the cells.

The drawings of the specification show the same places.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import atan2, cos, isclose, pi, sin, sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.borders import HEXES, Border, Elements, Place, halves, middle
from rulewright.dsl.model.grids import HEX, ORTHOGONAL, grid_of

Point = tuple[float, float]


@st.composite
def borders(draw: st.DrawFn, shapes: tuple[str, ...] = ("square", *HEXES)) -> Border:
    """Whole grids and grids with holes, of each shape."""
    shape = draw(st.sampled_from(shapes))
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    places = whole(shape, width, height)
    if draw(st.booleans()):
        kept = draw(st.sets(st.sampled_from(places), min_size=1))
        places = [place for place in places if place in kept]
    return Border(shape, tuple(places), draw(st.booleans()))


def whole(shape: str, width: int, height: int) -> list[Place]:
    side = width if shape == "hexagon" else 0
    sizes = (2 * side - 1, 2 * side - 1) if side else (width, height)
    return [
        (x, y)
        for y in range(1, sizes[1] + 1)
        for x in range(1, sizes[0] + 1)
        if not side or abs(x - y) < side
    ]


def polygon(border: Border, place: Place) -> list[Point]:
    """The corners of a cell in a drawing with cells of width 1, clockwise; y grows to the north."""
    x, y = place
    up = -y if border.down else y
    if border.shape not in HEXES:
        return [(x + dx / 2, up + dy / 2) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    across, along = halves(border.shape, x, y) / 2, up * sqrt(3) / 2
    turns = [pi / 3 * n for n in range(6)]
    return [(across + sin(turn) / sqrt(3), along + cos(turn) / sqrt(3)) for turn in turns]


def key(point: Point) -> tuple[int, int]:
    return round(point[0] * 1000), round(point[1] * 1000)


def to_drawing(border: Border, point: Place) -> Point:
    """A point of the border in the same drawing."""
    row = sqrt(3) / 2 if border.shape in HEXES else 1
    return point[0] / 2, point[1] / 6 * row * (-1 if border.down else 1)


@given(borders())
def test_corners_lie_where_the_polygons_of_the_cells_have_them(border: Border) -> None:
    points = [to_drawing(border, point) for (point,) in border.points("corners")]
    for place, corners in zip(border.cells, border.relation("cells", "corners"), strict=True):
        assert [key(points[c]) for c in corners] == [*map(key, polygon(border, place))]
        around = [points[c] for c in corners]
        centre = to_drawing(border, middle(border.shape, place))
        assert isclose(sum(x for x, _ in around) / len(around), centre[0])
        assert isclose(sum(y for _, y in around) / len(around), centre[1], abs_tol=1e-9)
    assert len({*map(key, points)}) == len(points)


@given(borders())
def test_edges_are_the_sides_of_the_polygons(border: Border) -> None:
    ends = [
        frozenset(key(to_drawing(border, p)) for p in points) for points in border.points("edges")
    ]
    assert len({*ends}) == len(ends) and all(len(pair) == 2 for pair in ends)
    sides = Counter[frozenset[tuple[int, int]]]()
    for place, edges in zip(border.cells, border.relation("cells", "edges"), strict=True):
        corners = [*map(key, polygon(border, place))]
        around = [frozenset(pair) for pair in pairwise((*corners, corners[0]))]
        assert [ends[e] for e in edges] == around
        sides.update(around)
    assert sides == dict(zip(ends, map(len, border.relation("edges", "cells")), strict=True))


@given(borders())
def test_relations_hold_both_ways(border: Border) -> None:
    types: tuple[Elements, ...] = ("cells", "corners", "edges")
    for of in types:
        for to in types:
            there, back = border.relation(of, to), border.relation(to, of)
            pairs = {(a, b) for a, near in enumerate(there) for b in near}
            assert pairs == {(a, b) for b, near in enumerate(back) for a in near}
            assert all(len({*near}) == len(near) for near in there)
            assert of != to or all(a != b for a, b in pairs)


@given(borders())
def test_each_edge_has_two_corners_and_one_or_two_cells(border: Border) -> None:
    assert {len(ends) for ends in border.relation("edges", "corners")} == {2}
    assert {len(cells) for cells in border.relation("edges", "cells")} <= {1, 2}


@given(borders())
def test_corners_next_to_each_other_share_an_edge(border: Border) -> None:
    ends = {frozenset(pair) for pair in border.relation("edges", "corners")}
    near = border.relation("corners", "corners")
    assert ends == {frozenset((a, b)) for a, others in enumerate(near) for b in others}


@given(borders())
def test_a_corner_inside_has_all_its_cells(border: Border) -> None:
    most = 3 if border.shape in HEXES else 4
    cells, edges = border.relation("corners", "cells"), border.relation("corners", "edges")
    of_edge = border.relation("edges", "cells")
    for here, there in zip(cells, edges, strict=True):
        assert 1 <= len(here) <= most and 2 <= len(there) <= most
        if all(len(of_edge[edge]) == 2 for edge in there):
            assert len(here) == len(there) == most


@given(borders())
def test_corners_edges_and_faces_obey_the_formula_of_euler(border: Border) -> None:
    """V - E + F is 1 plus the number of connected parts; F counts the cells, the holes and the outside."""
    parts = _parts(border.relation("corners", "corners"))
    assert len(border.corners) - len(border.edges) + _faces(border) == 1 + parts


def _parts(near: tuple[tuple[int, ...], ...]) -> int:
    left, found = {*range(len(near))}, 0
    while left:
        found += 1
        waiting = [left.pop()]
        while waiting:
            new = left & {*near[waiting.pop()]}
            left -= new
            waiting += new
    return found


def _faces(border: Border) -> int:
    """The number of faces: walks that turn as far as possible at each corner, until they return to their start."""
    points = [to_drawing(border, point) for (point,) in border.points("corners")]
    near = border.relation("corners", "corners")
    left = {(a, b) for a, others in enumerate(near) for b in others}
    walks = 0
    while left:
        walks += 1
        start = at = next(iter(left))
        while True:
            left.discard(at)
            at = _turn(points, near[at[1]], at)
            if at == start:
                break
    # Each part has a walk around it, and all these walks follow the same outer face.
    return walks - _parts(near) + 1


def _turn(points: list[Point], ways: tuple[int, ...], at: tuple[int, int]) -> tuple[int, int]:
    came, here = at

    def angle(to: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = points[came], points[here], points[to]
        ux, uy, vx, vy = ax - bx, ay - by, cx - bx, cy - by
        return _angle(ux * vx + uy * vy, ux * vy - uy * vx)

    return here, min(ways, key=angle)


def _angle(along: float, across: float) -> float:
    turned = atan2(across, along) % (2 * pi)
    return turned if turned > 1e-6 and turned < 2 * pi - 1e-6 else 2 * pi


@given(borders())
def test_an_edge_looks_the_way_of_the_neighbour_beyond_it(border: Border) -> None:
    grid = grid_of(border.shape, 0, border.cells, border.down)
    directions = HEX if grid.is_hex else ORTHOGONAL
    cells = border.relation("edges", "cells")
    for cell, edges in enumerate(border.relation("cells", "edges")):
        for direction, edge in zip(directions, edges, strict=True):
            beyond = grid.steps[8 * cell + direction]
            assert {*cells[edge]} == {cell, beyond} - {-1}


@given(borders())
def test_places_begin_at_one(border: Border) -> None:
    assert min(x for x, _ in border.corners) >= 1
    assert min(y for _, y in border.corners) >= 1
    assert len({*border.corners}) == len(border.corners)


def test_counts_that_books_give() -> None:
    board = Border("hexagon", tuple(whole("hexagon", 3, 0)))
    assert (len(board.cells), len(board.corners), len(board.edges)) == (19, 54, 72)
    board = Border("square", tuple(whole("square", 8, 8)))
    assert (len(board.cells), len(board.corners), len(board.edges)) == (64, 81, 144)
    board = Border("hex", ((1, 1),))
    assert board.corners == ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2))
    assert board.edges == ((2, 1), (4, 1), (1, 2), (5, 2), (2, 3), (4, 3))


DRAWN = [
    ("grid 4 by 2", Border("square", tuple(whole("square", 4, 2)))),
    ("grid hex 3 by 3", Border("hex", tuple(whole("hex", 3, 3)))),
    ("grid rhombus 3 by 3", Border("rhombus", tuple(whole("rhombus", 3, 3)))),
    ("grid hexagon 2", Border("hexagon", tuple(whole("hexagon", 2, 0)))),
]


@pytest.mark.parametrize(("form", "border"), DRAWN, ids=[form for form, _ in DRAWN])
def test_the_specification_draws_the_places(form: str, border: Border) -> None:
    page = Path(__file__).parents[2] / "docs" / "spec" / "data.md"
    assert f"`{form}`:\n\n```text\n{as_text(border)}\n```\n" in page.read_text(encoding="utf-8")


def as_text(border: Border) -> str:
    """The cells with their places and the corners with their names; four characters for each half cell."""
    sign: dict[Place, str] = {}

    def put(point: Place, text: str) -> None:
        x, y = at(point)
        sign.update(((x - len(text) // 2 + n, y), letter) for n, letter in enumerate(text))

    def at(point: Place) -> Place:
        x, y = point
        return 4 * x, y if border.shape in HEXES else (y + 3) // 3

    for ends in border.points("edges"):
        (x1, y1), (x2, y2) = map(at, ends)
        if y1 == y2:
            sign.update(((x, y1), "-") for x in range(x1 + 2, x2 - 1))
        elif x1 == x2:
            sign.update(((x1, y), "|") for y in range(y1 + 1, y2))
        else:
            sign[(x1 + x2) // 2, (y1 + y2) // 2] = "/" if (x2 - x1) * (y2 - y1) > 0 else "\\"
    for (point,), (x, y) in zip(border.points("corners"), border.corners, strict=True):
        put(point, f"{chr(96 + x)}{y}")
    for x, y in border.cells:
        put(middle(border.shape, (x, y)), f"({x},{y})")
    left, right = (least(x for x, _ in sign) for least in (min, max))
    lines = sorted({y for _, y in sign}, reverse=True)
    return "\n".join(
        "".join(sign.get((x, y), " ") for x in range(left, right + 1)).rstrip() for y in lines
    )
