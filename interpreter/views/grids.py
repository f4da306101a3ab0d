"""Draws grids as plain text for a terminal: cells in columns and rows, with corners and edges if these are spaces.

This module does not read states. Its input is a view, and the texts that the rules define for
cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from rulewright.dsl.borders import HEXES, corners_at, halves, middle
from rulewright.dsl.ir import SpaceKind
from rulewright.interpreter.views.marked import like, mark, pad, plain, room_of, shorten
from rulewright.interpreter.views.view import Piece, SeenTokens, SeenZone, View

WIDTH = 80
_NOBODY_THERE = "."
_JOINT = "+"  # The sign where edges meet, if the corners are not spaces.


@attrs.frozen
class Grid:
    """A grid to be drawn: the text of each non-empty space, keyed by the id of the space. `owner`
    is the player to whom the grid belongs.

    If players read names of cells such as `b3`, the grid is `lettered`: its columns are named by
    letters. A growing grid is drawn with `border` empty cells on each side. `borders` contains its
    corners and edges, if these are spaces.
    """

    kind: SpaceKind
    texts: Mapping[int, str]
    lettered: bool = False
    notes: tuple[str, ...] = ()
    title: str = ""
    changed: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()
    owner: int = -1
    border: int = 1
    borders: tuple[Grid, ...] = ()


def grid_texts(view: View, kind: SpaceKind, players: Sequence[str]) -> dict[int, str]:
    """Return signs for the things in the cells of a grid. They are used if the rules have no `show`
    lines for the grid."""
    marks = player_marks(players)
    found: dict[int, str] = {}

    def add(space: int, text: str) -> None:
        found[space] = found.get(space, "") + text

    for zone in view.zones:
        if zone.place.owner == kind.name:
            add(zone.place.owner_id, _zone_symbol(zone, marks))
    for tokens in view.tokens:
        if tokens.place.owner == kind.name:
            add(tokens.place.owner_id, _token_symbol(tokens, marks))
    for value in view.values:
        if value.place.owner == kind.name and isinstance(value.value, str):
            is_line = kind.shape == "edges" and value.text == "yes"
            sign = "" if is_line else marks.get(value.text, _first(value.text))
            add(value.place.owner_id, sign)
    return found


def player_marks(players: Sequence[str]) -> dict[str, str]:
    """Map each player to a sign: the first letter of the name if these all differ, otherwise the number of the seat."""
    letters = [plain(name)[:1].upper() for name in players]
    if len(set(letters)) < len(players) or not all(letter.isalpha() for letter in letters):
        letters = [str(seat + 1) for seat in range(len(players))]
    return {name: like(name, letter) for name, letter in zip(players, letters, strict=True)}


def _first(text: str) -> str:
    """Return the first letter of a text, with the mark of the text."""
    return like(text, plain(text)[:1])


def draw_grid(grid: Grid, width: int = WIDTH) -> list[str]:
    """Draw a grid, with its coordinates on the left and below. Only the used part of a growing grid is drawn.

    A grid that is too wide is drawn in parts, from left to right.
    """
    if grid.borders:
        return _with_borders(grid, width)
    places = _window(grid)
    if not places:
        return [f"{grid.kind.name}: empty"]
    columns = sorted({x for x, _ in places.values()})
    if grid.kind.growing and len(columns) * (_longest(grid) + 1) > width - 4:
        places = _window(attrs.evolve(grid, border=0))
        columns = sorted({x for x, _ in places.values()})
    rows = sorted({y for _, y in places.values()}, reverse=not grid.kind.down)
    at = {place: grid.texts.get(space, _NOBODY_THERE) for space, place in places.items()}
    symbols = {places[space]: _CHANGED_FROM for space in grid.changed if space in places}
    symbols |= {places[space]: "(" for space in grid.marked if space in places}
    lines_named = list(map(str, rows))
    side = max(map(len, lines_named))
    names = [_cell_column(grid, x) for x in columns]
    cell = min(width - side - 2, max(room_of(text) for text in (*at.values(), *names)))
    pushed = _row_shifts(grid.kind, rows)
    step = max(1, (cell + 2) // 2) if any(pushed) else 0
    most = max(1, (width - side - 1 - step * max(pushed)) // (cell + 1))
    lines: list[str] = []
    for start in range(0, len(columns), most):
        lines += [""] if start else []
        part = columns[start : start + most]
        for name, y, shift in zip(lines_named, rows, pushed[:-1], strict=True):
            texts = [pad(shorten(at.get((x, y), ""), cell), cell) for x in part]
            row = _with_marks(texts, [symbols.get((x, y), "") for x in part])
            lines.append(f"{name:>{side}} {' ' * (step * shift)}{row}".rstrip())
        below = " ".join(name[-cell:].ljust(cell) for name in names[start : start + most])
        lines.append(f"{'':>{side}}  {' ' * (step * pushed[-1])}{below}".rstrip())
    return lines


_CHANGED_FROM, _CHANGED_TO = mark("["), mark("]")
_CLOSING = {"": " ", _CHANGED_FROM: _CHANGED_TO, "(": ")"}


def _with_marks(texts: Sequence[str], symbols: Sequence[str]) -> str:
    """Join cells with a space before, between and after them. Around highlighted cells, brackets replace the spaces."""
    row = before = ""
    for text, symbol in zip(texts, symbols, strict=True):
        row += "|" if symbol and symbol == before else symbol or _CLOSING[before]
        row += text
        before = symbol
    return row + _CLOSING[before].strip()


def _row_shifts(kind: SpaceKind, rows: Sequence[int]) -> list[int]:
    """Return how many half cells each row is shifted to the right. The last number is for the column names below."""
    beyond = rows[-1] + (1 if kind.down else -1)
    pushed = [halves(kind.shape, 0, y) for y in (*rows, beyond)]
    if kind.shape == "hex":
        pushed[-1] = 0
    return [n - min(pushed) for n in pushed]


def _cell_column(grid: Grid, x: int) -> str:
    """Return the name of a column: a letter if players read names of cells such as `a1`, otherwise its number."""
    letter, kind = chr(ord("a") + x - 1), grid.kind
    lettered = "a" <= letter <= "z" and all(
        row == f"{letter}{line}"
        for row, (column, line) in zip(kind.rows, kind.places, strict=True)
        if column == x
    )
    return letter if grid.lettered and lettered else str(x)


def _longest(grid: Grid) -> int:
    return max(map(room_of, grid.texts.values()), default=1)


def _window(grid: Grid) -> dict[int, tuple[int, int]]:
    first = grid.kind.first
    places = {first + number: place for number, place in enumerate(grid.kind.places)}
    if not grid.kind.growing:
        return places
    used = [places[space] for space in grid.texts if space in places]
    if not used:
        return {}
    border = grid.border
    left, right = min(x for x, _ in used) - border, max(x for x, _ in used) + border
    low, high = min(y for _, y in used) - border, max(y for _, y in used) + border
    return {
        space: (x, y) for space, (x, y) in places.items() if left <= x <= right and low <= y <= high
    }


def _zone_symbol(zone: SeenZone, marks: Mapping[str, str]) -> str:
    if zone.count is None or zone.count > len(zone.pieces) or not zone.pieces:
        return "?" if zone.count != 0 else ""
    if zone.shape == "set":
        return "".join(_initial(piece, marks) for piece in zone.pieces)
    height = str(zone.count) if zone.count > 1 else ""
    return _initial(zone.pieces[-1], marks) + height


def _initial(piece: Piece, marks: Mapping[str, str]) -> str:
    """Return the sign of the owner of a piece, or the first letter of the piece if it has no owner."""
    return marks.get(piece.whose) or _first(piece.text) or "?"


def _token_symbol(tokens: SeenTokens, marks: Mapping[str, str]) -> str:
    if tokens.counts is None:
        return "?"
    return "".join(
        marks.get(whose, tokens.token[:1]) + (str(count) if count > 1 else "")
        for whose, count in tokens.counts
        if count
    )


# ---- Corners and edges -----------------------------------------------------------------------------


@attrs.frozen
class _Item:
    """A cell, corner or edge: its middle in doubled coordinates, its text, its bracket, and the
    line that is drawn for it."""

    x: int
    y: int
    text: str
    symbol: str = ""
    line: str = ""


def _with_borders(grid: Grid, width: int) -> list[str]:
    """Draw a grid with its corners and edges.

    The names of corners are on the left and below; the names of cells are on the right and above.
    """
    items = [*_cells(grid), *_corners(grid.borders), *_edges(grid)]
    columns, rows = _names_of_corners(grid)
    is_square = grid.kind.shape not in HEXES
    side = max(map(len, rows.values()))
    thin = max(room_of(each.text) for each in items if each.line != "-" and each.y % 12 != 0)
    thin = max(thin, *(room_of(each.text) for each in items if each.line == "|"), 1)
    wide = max(room_of(each.text) for each in items if not each.line and each.y % 12 == 0)
    wide = min(max(wide, 1), width - side - 2 * thin - 6)
    long = max((room_of(each.text) for each in items if each.line == "-"), default=0)
    half = max((max(wide, long) + thin + 3) // 2, 2 if is_square else thin + 1)
    left, right = 2 * min(columns), 2 * max(columns)
    most = max(1, (width - side - 3 - 2 * thin) // (2 * half))
    lines: list[str] = []
    for start in range(left, right, 4 * most):
        lines += [""] if start > left else []
        end = min(right, start + 4 * most)
        first = side + 2 + thin // 2
        at = {x: first + (x - start) * half // 2 for x in range(start, end + 1)}
        inside = [each for each in items if each.x in at]
        lines += _part(grid, inside, at, (wide, 2 * half - thin), rows)
        names = [(at[2 * x], name) for x, name in columns.items() if 2 * x in at]
        lines.append(_line(names))
    return lines


def _part(
    grid: Grid,
    items: Sequence[_Item],
    at: Mapping[int, int],
    room: tuple[int, int],
    rows: Mapping[int, str],
) -> Iterator[str]:
    """Yield the lines of one part of a grid, without the names below it.

    `room` contains the width of a cell, and the width between two corners.
    """
    names = {2 * line: name for line, name in rows.items()}
    beside: dict[int, str] = {}
    if grid.kind.shape not in HEXES:
        columns = {4 * x: _cell_column(grid, x) for x, _ in grid.kind.places if 4 * x in at}
        yield _line((at[x], name) for x, name in columns.items())
        beside = {12 * y: str(y) for _, y in grid.kind.places}
    for y in sorted({each.y for each in items} | set(names), reverse=not grid.kind.down):
        placed = [(len(names.get(y, "")) // 2, names.get(y, ""))]
        for each in items:
            if each.y == y:
                placed += _item_texts(each, at[each.x], room)
        if y in beside:
            placed.append((max(at.values()) + 3 + len(beside[y]) // 2, beside[y]))
        yield _line(placed)


def _item_texts(item: _Item, at: int, room: tuple[int, int]) -> Iterator[tuple[int, str]]:
    """Yield the texts of an item, each with its middle. Brackets come last, so that an overlapping
    text takes precedence."""
    wide, long = room
    text = shorten(item.text, wide if not item.line else long)
    if item.line == "-":
        rest = long - room_of(text) - (2 if item.symbol else 0)
        text = like(text, "-" * (rest // 2)) + text + like(text, "-" * (rest - rest // 2))
    yield at, text
    if item.symbol:
        start = at - (room_of(text) - 1) // 2
        yield start - 1, item.symbol
        yield start + room_of(text), _CLOSING[item.symbol]


def _line(placed: Iterable[tuple[int, str]]) -> str:
    """Put texts into one line, each centred on its column. If two texts overlap, the second is left out."""
    line: dict[int, str] = {}
    taken: set[int] = set()
    for middle_, text in placed:
        start = middle_ - (room_of(text) - 1) // 2
        columns = range(start, start + room_of(text))
        if taken.isdisjoint(columns):
            line[start] = text
            taken.update(columns)
    found = ""
    for start, text in sorted(line.items()):
        found = pad(found, start) + text
    return found.rstrip()


def _symbol(grid: Grid, space: int) -> str:
    return "(" if space in grid.marked else _CHANGED_FROM if space in grid.changed else ""


def _cells(grid: Grid) -> Iterator[_Item]:
    for space, place in enumerate(grid.kind.places, grid.kind.first):
        x, y = middle(grid.kind.shape, place)
        yield _Item(2 * x, 2 * y, grid.texts.get(space, ""), _symbol(grid, space))


def _corners(borders: Sequence[Grid]) -> Iterator[_Item]:
    """Yield the corners that are spaces. If corners are not spaces, yield a sign wherever edges meet."""
    corners = next((each for each in borders if each.kind.shape == "corners"), None)
    if corners is None:
        ends = {end for border in borders for points in border.kind.points for end in points}
        yield from (_Item(2 * x, 2 * y, _JOINT) for x, y in sorted(ends))
        return
    for space, ((x, y),) in enumerate(corners.kind.points, corners.kind.first):
        text = corners.texts.get(space, _NOBODY_THERE)
        yield _Item(2 * x, 2 * y, text, _symbol(corners, space))


def _edges(grid: Grid) -> Iterator[_Item]:
    """Yield the non-empty edges as lines, with the sign of the edge in the middle."""
    for border in grid.borders:
        if border.kind.shape != "edges":
            continue
        for space, ((ax, ay), (bx, by)) in enumerate(border.kind.points, border.kind.first):
            is_rising = ((bx - ax) * (by - ay) > 0) is not grid.kind.down
            line = "-" if ay == by else "|" if ax == bx else "/" if is_rising else "\\"
            text = border.texts.get(space)
            if text is not None:
                text = text or ("" if line == "-" else line)
                yield _Item(ax + bx, ay + by, text, _symbol(border, space), line)


def _names_of_corners(grid: Grid) -> tuple[dict[int, str], dict[int, str]]:
    """Map the coordinates of columns and lines of corners in the drawing to their names."""
    columns: dict[int, str] = {}
    rows: dict[int, str] = {}
    for border in grid.borders:
        kind, is_corner = border.kind, border.kind.shape == "corners"
        for row, place, points in zip(kind.rows, kind.places, kind.points, strict=True):
            is_lettered = grid.lettered and row.count("_") == (0 if is_corner else 1)
            for (column, line), (x, _) in corners_at(kind.shape, place, points):
                columns[x] = chr(ord("a") + column - 1) if is_lettered else str(column)
                rows[6 * line - 3] = str(line)
    return columns, rows
