"""Boards whose spaces have columns and rows, as SVG: squares, hexes, and grids that grow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sin, sqrt

from rulewright.dsl.borders import HEXES, middle
from rulewright.interpreter.views.scene import Board, Space
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen
from rulewright.pictures.svg.cells import content, described, label
from rulewright.pictures.svg.letters import FAMILY

UNIT = 60.0
"""How wide a cell is."""
_EDGE = 22.0
_PAPER, _LINE = "#f3ead6", "#a58f66"


def picture(pen: Pen, board: Board, title: str) -> Markup:
    """A grid with the names of its columns and rows at the edges."""
    if not board.spaces:
        return Markup("")
    is_hex = board.shape in HEXES
    middles = {space.id: _middle(board, space, is_hex=is_hex) for space in board.spaces}
    left = min(x for x, _ in middles.values()) - UNIT / 2
    right = max(x for x, _ in middles.values()) + UNIT / 2
    top = min(y for _, y in middles.values()) - UNIT / (sqrt(3) if is_hex else 2)
    bottom = max(y for _, y in middles.values()) + UNIT / (sqrt(3) if is_hex else 2)
    is_named = board.shape != "growing" and not is_hex
    edge = _EDGE if is_named else 4.0
    drawn = [_cell(pen, space, middles[space.id], is_hex=is_hex) for space in board.spaces]
    names = list(_names(board, middles, left, bottom)) if is_named else []
    hits = [_hit(pen, space, middles[space.id]) for space in board.spaces]
    lines = list(_lines(pen, board, middles, top, bottom, left, right))
    width, height = right - left + edge + 4, bottom - top + edge + 4
    return tag(
        "svg",
        tag("title", title),
        *drawn,
        *names,
        *hits,
        *lines,
        xmlns="http://www.w3.org/2000/svg",
        font_family=FAMILY,
        viewBox=f"{left - edge:.0f} {top - 4:.0f} {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
        role="group",
        class_="rw-board",
        data_space=board.kind,
    )


def _middle(board: Board, space: Space, *, is_hex: bool) -> tuple[float, float]:
    assert space.at is not None
    across, along = middle(board.shape, space.at)
    return _point(across, along, board, is_hex=is_hex)


def _point(across: int, along: int, board: Board, *, is_hex: bool) -> tuple[float, float]:
    """A point in half cells to the right and sixths of a row along the rows."""
    row = UNIT * sqrt(3) / 2 if is_hex else UNIT
    return across * UNIT / 2, along / 6 * row * (1 if board.is_down else -1)


def _cell(pen: Pen, space: Space, at: tuple[float, float], *, is_hex: bool) -> Markup:
    return pen.draw(("cell", at, is_hex), space, lambda: _drawn(pen, space, at, is_hex=is_hex))


def _drawn(pen: Pen, space: Space, at: tuple[float, float], *, is_hex: bool) -> Markup:
    x, y = at
    odd = sum(space.at or ()) % 2
    classes = ["rw-cell", "rw-odd" if odd else "rw-even"]
    classes += ["rw-marked"] if space.is_marked else []
    classes += ["rw-changed"] if space.is_changed else []
    classes += ["rw-can"] if space.options and pen.is_live else []
    shape = (
        tag("polygon", points=_hexagon(x, y, UNIT / sqrt(3)), fill=_PAPER, stroke=_LINE)
        if is_hex
        else tag(
            "rect",
            x=x - UNIT / 2,
            y=y - UNIT / 2,
            width=UNIT,
            height=UNIT,
            fill=_PAPER,
            stroke=_LINE,
        )
    )
    return tag(
        "g",
        tag("title", described(space)),
        shape,
        content(pen, space, x, y, UNIT * (0.78 if is_hex else 0.94)),
        class_=" ".join(classes),
        data_space=space.face.kind,
        data_row=space.face.row,
    )


def _hexagon(x: float, y: float, radius: float) -> str:
    corners = ((x + radius * sin(pi / 3 * n), y + radius * cos(pi / 3 * n)) for n in range(6))
    return " ".join(f"{cx:.1f},{cy:.1f}" for cx, cy in corners)


def _hit(pen: Pen, space: Space, at: tuple[float, float]) -> Markup:
    half = UNIT / 2
    return pen.over(
        space.options, described(space), (at[0] - half + 2, at[1] - half + 2, UNIT - 4, UNIT - 4)
    )


def _names(
    board: Board, middles: Mapping[int, tuple[float, float]], left: float, bottom: float
) -> Iterator[Markup]:
    """Letters below where cells are called `a1`, else numbers; numbers at the left."""
    columns: dict[int, tuple[float, Space]] = {}
    rows: dict[int, float] = {}
    for space in board.spaces:
        assert space.at is not None
        columns.setdefault(space.at[0], (middles[space.id][0], space))
        rows.setdefault(space.at[1], middles[space.id][1])
    for column, (x, space) in columns.items():
        letter = chr(ord("a") + column - 1) if 0 < column <= 26 else ""
        is_letter = bool(letter) and space.face.row == f"{letter}{space.at[1] if space.at else 0}"
        yield label(letter if is_letter else str(column), x, bottom + 11, 30, 13)
    for row, y in rows.items():
        yield label(str(row), left - 11, y, 20, 13)


def _lines(
    pen: Pen,
    board: Board,
    middles: Mapping[int, tuple[float, float]],
    top: float,
    bottom: float,
    left: float,
    right: float,
) -> Iterator[Markup]:
    """Buttons over whole columns and rows, where options name these by their numbers."""
    for column, options in board.columns:
        x = next(middles[each.id][0] for each in board.spaces if each.at and each.at[0] == column)
        yield pen.over(options, f"column {column}", (x - UNIT / 2, top, UNIT, bottom - top))
    for row, options in board.rows:
        y = next(middles[each.id][1] for each in board.spaces if each.at and each.at[1] == row)
        yield pen.over(options, f"row {row}", (left, y - UNIT / 2, right - left, UNIT))


__all__ = ["UNIT", "inner", "picture"]
