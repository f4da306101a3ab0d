"""Draw boards whose spaces have columns and rows, as SVG: squares, hexes, and grids that grow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import cos, pi, sin, sqrt

from rulewright.dsl.borders import HEXES, corners_at, halves, middle
from rulewright.interpreter.views.scene import Board, Space
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen
from rulewright.pictures.svg.cells import content, describe_space, in_corners, is_bare, label
from rulewright.pictures.svg.graphs import holder, way
from rulewright.pictures.svg.letters import FAMILY
from rulewright.pictures.words import say

UNIT = 60.0
"""The width of a cell."""
_NAME = 11.0
"""The distance of the names of columns and rows from the board."""
_WIDE, _TALL = 3, 2.25
"""The ratio of columns to rows above which a board is wide, and the ratio of height to width of the cells
of such a board.
"""
_CORNER, _SIDE = 10.0, 7.0
"""Half the size of a corner, and half the size of the button on an edge."""
_PAPER, _LINE, _INK = "#f3ead6", "#a58f66", "#3c4046"


def picture(pen: Pen, board: Board, title: str, borders: Sequence[Board] = ()) -> Markup:
    """Draw a grid with the names of its columns and rows beside it, and the corners and edges that are
    spaces.
    """
    if not board.spaces:
        return Markup("")
    is_hex = board.shape in HEXES
    row = _row(board)
    middles = {space.id: _middle(board, space, row) for space in board.spaces}
    left = min(x for x, _ in middles.values()) - UNIT / 2
    right = max(x for x, _ in middles.values()) + UNIT / 2
    half = UNIT / sqrt(3) if is_hex else row / 2
    top = min(y for _, y in middles.values()) - half
    bottom = max(y for _, y in middles.values()) + half
    if borders:
        left, right, top, bottom = left - _CORNER, right + _CORNER, top - _CORNER, bottom + _CORNER
    size = UNIT * (0.58 if borders else 0.78 if is_hex else 0.94)
    high = 0 if is_hex else row
    drawn = [_cell(pen, space, middles[space.id], size, high) for space in board.spaces]
    tall = 0 if is_hex else (row - UNIT) / 2
    hits = [_hit_area(pen, space, middles[space.id], UNIT / 2 - 2, tall) for space in board.spaces]
    for border in sorted(
        borders, key=lambda border: border.shape, reverse=True
    ):  # corners are drawn on top
        for space in border.spaces:
            points = [_point(x, y, board, row) for x, y in space.points]
            drawn.append(_on_border(pen, space, points))
            middles[space.id] = _between(points)
            hits.append(
                _hit_area(pen, space, middles[space.id], _CORNER if len(points) == 1 else _SIDE)
            )
    lines = list(_lines(pen, board, middles, top, bottom, left, right))
    names: dict[tuple[float, float], str] = {}
    if borders:
        drawn += _joints(board, borders)
        names = _names_of_corners(board, borders, left, bottom)
    if is_hex and not borders:
        names = _names_of_hexagons(board, middles)
    elif not is_hex and board.shape != "growing":
        at = (right + _NAME, top - _NAME) if borders else (left - _NAME, bottom + _NAME)
        names |= _names_of_squares(board, middles, *at)
    left, right = min([left, *(x - _NAME for x, _ in names)]), max([right, *(x for x, _ in names)])
    top = min([top, *(y - _NAME for _, y in names)])
    bottom = max([bottom, *(y + _NAME for _, y in names)])
    return tag(
        "svg",
        tag("title", title),
        *drawn,
        *(label(name, x, y, 30, 13) for (x, y), name in names.items()),
        *hits,
        *lines,
        xmlns="http://www.w3.org/2000/svg",
        font_family=FAMILY,
        viewBox=f"{left - 4:.0f} {top - 4:.0f} {right - left + 8:.0f} {bottom - top + 8:.0f}",
        width=f"{right - left + 8:.0f}",
        height=f"{bottom - top + 8:.0f}",
        role="group",
        class_="rw-board",
        data_space=board.kind,
    )


def _row(board: Board) -> float:
    """Return the height of a row. On very wide boards, cells are higher than wide, so that they fill the
    picture.
    """
    if board.shape in HEXES:
        return UNIT * sqrt(3) / 2
    columns, rows = ({space.at[n] for space in board.spaces if space.at} for n in (0, 1))
    return UNIT * _TALL if len(columns) > _WIDE * len(rows) else UNIT


def _middle(board: Board, space: Space, row: float) -> tuple[float, float]:
    assert space.at is not None
    across, along = middle(board.shape, space.at)
    return _point(across, along, board, row)


def _point(across: int, along: int, board: Board, row: float) -> tuple[float, float]:
    """Return a point, given in half cells across the columns and in sixths of a row along the rows."""
    return across * UNIT / 2, along / 6 * row * (1 if board.is_down else -1)


def _cell(pen: Pen, space: Space, at: tuple[float, float], size: float, high: float) -> Markup:
    key = "cell", at, size, high, pen.standing_on(space)
    return pen.draw(key, space, lambda: _draw_cell(pen, space, at, size, high))


def _draw_cell(pen: Pen, space: Space, at: tuple[float, float], size: float, high: float) -> Markup:
    """Draw a cell: a rectangle as wide as a column and as high as `high`, or a hexagon if `high` is 0."""
    x, y = at
    odd = sum(space.at or ()) % 2
    classes = ["rw-cell", "rw-odd" if odd else "rw-even"]
    classes += ["rw-marked"] if space.is_marked else []
    classes += ["rw-changed"] if space.is_changed else []
    classes += ["rw-can"] if space.options and pen.is_live else []
    inset, rise = UNIT / 2 - 11, (high or UNIT) / 2 - 11
    shape = (
        tag("polygon", points=_hexagon(x, y, UNIT / sqrt(3)), fill=_PAPER, stroke=_LINE)
        if high == 0
        else tag(
            "rect",
            x=x - UNIT / 2,
            y=y - high / 2,
            width=UNIT,
            height=high,
            fill=_PAPER,
            stroke=_LINE,
        )
    )
    return tag(
        "g",
        tag("title", describe_space(pen, space)),
        shape,
        content(pen, space, x, y, size, height=size + max(0, high - UNIT)),
        in_corners(pen, space, x - inset, y - rise, x + inset, y + rise),
        class_=" ".join(classes),
        data_space=space.face.kind,
        data_row=space.face.row,
    )


def _hexagon(x: float, y: float, radius: float) -> str:
    corners = ((x + radius * sin(pi / 3 * n), y + radius * cos(pi / 3 * n)) for n in range(6))
    return " ".join(f"{cx:.1f},{cy:.1f}" for cx, cy in corners)


def _on_border(pen: Pen, space: Space, points: Sequence[tuple[float, float]]) -> Markup:
    """Draw an edge as a line and a corner as a dot, or draw the things on it."""
    if len(points) == 2:
        ends = *points[0], *points[1]
        make = partial(way, pen, space, ends, size=2 * _SIDE, is_edge=True)
        return pen.keep(("edge", ends), space, make)
    ((x, y),) = points
    return pen.draw(("corner", x, y), space, partial(_corner, pen, space, x, y))


def _corner(pen: Pen, space: Space, x: float, y: float) -> Markup:
    classes = "rw-cell rw-corner"
    classes += " rw-changed" if space.is_changed else ""
    classes += " rw-marked" if space.is_marked else ""
    classes += " rw-can" if space.options and pen.is_live else ""
    bare, seat = is_bare(space), holder(space)
    return tag(
        "g",
        tag("title", describe_space(pen, space)),
        tag(
            "circle",
            cx=x,
            cy=y,
            r=4 if bare else _CORNER,
            fill=_PAPER,
            stroke=pen.seats[seat] if seat >= 0 else _LINE,
            stroke_width=3 if seat >= 0 else 1,
        ),
        None if bare else content(pen, space, x, y, 2 * _CORNER),
        class_=classes,
        data_space=space.face.kind,
        data_row=space.face.row,
    )


def _between(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _hit_area(
    pen: Pen, space: Space, at: tuple[float, float], half: float, more: float = 0
) -> Markup:
    if not space.options:
        return Markup("")
    x, y = at
    area = x - half, y - half - more, 2 * half, 2 * (half + more)
    return pen.over(space.options, describe_space(pen, space), area)


def _joints(board: Board, borders: Sequence[Board]) -> list[Markup]:
    """Draw dots where edges meet, unless corners are spaces."""
    if any(border.shape == "corners" for border in borders):
        return []
    points = {point for border in borders for space in border.spaces for point in space.points}
    ends = (_point(x, y, board, _row(board)) for x, y in sorted(points))
    return [tag("circle", cx=x, cy=y, r=4, fill=_INK, class_="rw-joint") for x, y in ends]


def _names_of_corners(
    board: Board, borders: Sequence[Board], left: float, bottom: float
) -> dict[tuple[float, float], str]:
    """Return the names of the columns and lines of corners, keyed by their points to the left of and below
    the board.
    """
    names: dict[tuple[float, float], str] = {}
    for border in borders:
        for space in border.spaces:
            assert space.at is not None
            is_lettered = space.face.row.count("_") == (0 if border.shape == "corners" else 1)
            for (column, line), (x, _) in corners_at(border.shape, space.at, space.points):
                right, down = _point(x, 6 * line - 3, board, _row(board))
                names[right, bottom + _NAME] = _letter(column) if is_lettered else str(column)
                names[left - _NAME, down] = str(line)
    return names


def _names_of_squares(
    board: Board, middles: Mapping[int, tuple[float, float]], beside: float, along: float
) -> dict[tuple[float, float], str]:
    """Return the names of columns and rows by their points: letters for columns if cells are called `a1`,
    otherwise numbers.
    """
    names: dict[tuple[float, float], str] = {}
    for space in board.spaces:
        assert space.at is not None
        x, y = middles[space.id]
        names[x, along] = _column(space)
        names[beside, y] = str(space.at[1])
    return names


def _names_of_hexagons(
    board: Board, middles: Mapping[int, tuple[float, float]]
) -> dict[tuple[float, float], str]:
    """Return the names of rows at their left ends, and of columns below their lowest cells, keyed by point."""
    rows: dict[int, tuple[float, float]] = {}
    columns: dict[int, tuple[float, float, Space]] = {}
    for space in board.spaces:
        assert space.at is not None
        (column, row), (x, y) = space.at, middles[space.id]
        rows[row] = min(rows.get(row, (x, y)), (x, y))
        if column not in columns or columns[column][1] < y:
            columns[column] = x, y, space
    names = {(x - UNIT / 2 - _NAME, y): str(row) for row, (x, y) in rows.items()}
    for x, y, space in columns.values():
        assert space.at is not None
        column, row = space.at
        below = row + (1 if board.is_down else -1)
        across = halves(board.shape, column, below) - halves(board.shape, column, row)
        slant = 0 if board.shape == "hex" else across * UNIT * 0.4
        names[x + slant, y + UNIT / sqrt(3) + _NAME] = _column(space)
    return names


def _column(space: Space) -> str:
    assert space.at is not None
    column, row = space.at
    letter = _letter(column) if 0 < column <= 26 else ""
    return letter if space.face.row == f"{letter}{row}" else str(column)


def _letter(column: int) -> str:
    return chr(ord("a") + column - 1)


def _lines(
    pen: Pen,
    board: Board,
    middles: Mapping[int, tuple[float, float]],
    top: float,
    bottom: float,
    left: float,
    right: float,
) -> Iterator[Markup]:
    """Draw buttons over whole columns and rows, if options name these by numbers."""
    high = UNIT if board.shape in HEXES else _row(board)
    for column, options in board.columns:
        x = next(middles[each.id][0] for each in board.spaces if each.at and each.at[0] == column)
        yield pen.over(
            options, say("picture-column", column=column), (x - UNIT / 2, top, UNIT, bottom - top)
        )
    for row, options in board.rows:
        y = next(middles[each.id][1] for each in board.spaces if each.at and each.at[1] == row)
        yield pen.over(
            options, say("picture-row", row=row), (left, y - high / 2, right - left, high)
        )


__all__ = ["UNIT", "inner", "picture"]
