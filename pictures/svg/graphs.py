"""Draw boards without a grid as SVG: boxes with links between them, and spaces inside spaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from statistics import median

import attrs

from rulewright.interpreter.views.scene import Board, Space
from rulewright.pictures.colours import colour_of
from rulewright.pictures.markup import Markup, tag
from rulewright.pictures.pen import Pen, band, seat_of
from rulewright.pictures.svg.cells import content, describe_space, in_corners, is_bare, label
from rulewright.pictures.svg.layout import Point, places, spread
from rulewright.pictures.svg.letters import FAMILY, lines_of, width_of

_PAPER, _LINE, _WAY, _EDGE = "#f3ead6", "#a58f66", "#8b8574", "#3c4046"
_PLAIN = 3
"""The width of a link without a colour. Coloured links are wider and have an outline, so that a white link
is visible on a white background.
"""
_TITLE = 12.0
_CHIP = 34.0
_GAP = 4.0
_WIDE, _NARROW = 96.0, 64.0
"""The minimum width of a box. Boards without places for pieces, inner spaces and things on links use the
smaller one.
"""
_APART, _ON_WAY = 14.0, 40.0
"""The gap between boxes, and a larger gap for things on links."""


@attrs.frozen
class Box:
    """A space as a box: its centre and size, and the spaces inside it."""

    space: Space
    x: float
    y: float
    width: float
    height: float
    inside: tuple[Space, ...]


def picture(pen: Pen, board: Board, title: str, inside: Mapping[int, Sequence[Space]]) -> Markup:
    """Draw boxes at their places, with the links between them; each box contains its things and the spaces
    inside it.
    """
    boxes = _boxes(pen, board, inside)
    if not boxes:
        return Markup("")
    at = {box.space.id: box for box in boxes}
    left = min(box.x - box.width / 2 for box in boxes) - 8
    top = min(box.y - box.height / 2 for box in boxes) - 8
    width = max(box.x + box.width / 2 for box in boxes) + 8 - left
    height = max(box.y + box.height / 2 for box in boxes) + 8 - top
    links = {space.id: space for space in board.links}
    return tag(
        "svg",
        tag("title", title),
        *_ways(pen, board, at, links),
        *(_draw_box(pen, box) for box in boxes),
        *_hits(pen, boxes, board, at, links),
        xmlns="http://www.w3.org/2000/svg",
        font_family=FAMILY,
        viewBox=f"{left:.0f} {top:.0f} {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
        role="group",
        class_="rw-board rw-graph",
        data_space=board.kind,
    )


def _size(
    space: Space, inside: Sequence[Space], *, bare: bool, narrow: bool
) -> tuple[float, float]:
    """Return the size of a space, given its name, the things on it (ignored if `bare`), and the spaces inside
    it.
    """
    across = max(1, min(4, len(inside)))
    rows = -(-len(inside) // across)
    title = width_of(space.face.title) * _TITLE + 3 * _GAP
    least = min(_WIDE, max(_NARROW, title)) if narrow else _WIDE
    width = max(least, across * (_CHIP + _GAP) + 2 * _GAP)
    lines = len(lines_of(space.face.title, width - 8, _TITLE, 2))
    body = 0.0 if inside and bare else _CHIP
    return width, lines * _TITLE * 1.15 + 8 + body + rows * (_CHIP + _GAP)


def _boxes(pen: Pen, board: Board, inside: Mapping[int, Sequence[Space]]) -> list[Box]:
    spaces = board.spaces
    within = [tuple(inside.get(space.id, ())) for space in spaces]
    if not spaces:
        return []
    narrow = not (board.links or inside or any(space.on.zones for space in spaces))
    both = [*zip(spaces, within, strict=True)]
    sizes = [_size(*each, bare=is_bare(each[0]), narrow=narrow) for each in both]
    full = [_size(*each, bare=False, narrow=narrow) for each in both]
    points = _points(pen, board, full)
    return [
        Box(space, x, y, w, h, inner)
        for space, (x, y), (w, h), inner in zip(spaces, points, sizes, within, strict=True)
    ]


def _points(pen: Pen, board: Board, sizes: Sequence[Point]) -> tuple[Point, ...]:
    """Return the centres of the boxes: from the game's file of places, or else computed from the links."""
    known = pen.looks.places.get(board.kind, {})
    numbers = {space.id: at for at, space in enumerate(board.spaces)}
    if all(space.face.row in known for space in board.spaces):
        points = tuple(known[space.face.row] for space in board.spaces)
        scale_x = scale_y = (median(width for width, _ in sizes) + _APART) / _usual(points)
    else:
        pairs = ((numbers[edge.start], numbers[edge.end]) for edge in board.edges)
        edges = tuple(sorted({(min(pair), max(pair)) for pair in pairs}))
        points = places(len(board.spaces), edges)
        scale_x = (max(width for width, _ in sizes) + _APART) * 1.15
        scale_y = (max(height for _, height in sizes) + _APART) * 1.35
    has_things = any(link.on.zones or link.on.tokens for link in board.links)
    apart = _APART + (_ON_WAY if has_things else 0)
    scaled = tuple((x * scale_x, y * scale_y) for x, y in points)
    return spread(scaled, tuple((width + apart, height + apart) for width, height in sizes))


@lru_cache(maxsize=64)
def _usual(points: Sequence[Point]) -> float:
    """Return a typical distance from a point to its nearest neighbour."""
    nearest = sorted(_nearest(points))
    return (nearest[len(nearest) // 2] if nearest else 0.0) or 1.0


def _nearest(points: Sequence[Point]) -> Iterator[float]:
    for at, (x, y) in enumerate(points):
        others = [
            ((x - ox) ** 2 + (y - oy) ** 2) ** 0.5
            for other, (ox, oy) in enumerate(points)
            if other != at
        ]
        if others:
            yield min(others)


def _ways(
    pen: Pen, board: Board, at: Mapping[int, Box], links: Mapping[int, Space]
) -> Iterator[Markup]:
    """Draw the lines of the links; things on a link are drawn at its middle."""
    for edge in board.edges:
        if edge.start not in at or edge.end not in at:
            continue
        link = links.get(edge.space)
        ends = _between(at[edge.start], at[edge.end])
        # Texts of options are on buttons drawn over the lines, so the lines are the same for all viewers.
        yield pen.keep(("way", ends, edge.column), link, partial(way, pen, link, ends, edge.column))


def way(
    pen: Pen,
    link: Space | None,
    ends: tuple[float, float, float, float],
    column: str = "",
    size: float = _ON_WAY,
    *,
    is_edge: bool = False,
) -> Markup:
    """Draw the line of a link or an edge, in the colour of the player who holds it, with its things at the
    middle.

    An edge with a true flag is a dark line, without the text of the flag.
    """
    classes = "rw-way"
    if link and link.is_changed:
        classes += " rw-changed"
    x1, y1, x2, y2 = ends
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    stroke, width = _stroke(pen, link)
    is_drawn = is_edge and link is not None and _is_drawn(link)
    if is_edge and width == _PLAIN:
        stroke, width = (_EDGE, 5) if is_drawn else (_LINE, 1.5)
    return tag(
        "g",
        tag("title", describe_space(pen, link)) if link else None,
        tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_EDGE, stroke_width=width + 1.5)
        if width > _PLAIN
        else None,
        tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width),
        _on_way(pen, link, x, y, size) if link and not is_drawn else None,
        class_=classes,
        data_space=link.face.kind if link else None,
        data_row=link.face.row if link else None,
        data_column=column or None,
    )


def _is_drawn(edge: Space) -> bool:
    """Return whether an edge shows at least one true flag and nothing else."""
    loud = [each for each in edge.on.counters if not each.is_silent]
    bare = attrs.evolve(edge, on=attrs.evolve(edge.on, counters=()))
    return bool(loud) and is_bare(bare) and all(each.text == "yes" for each in loud)


def _stroke(pen: Pen, link: Space | None) -> tuple[str, float]:
    """Return the colour and the width of a link.

    The colour is the colour of the player named by the link's values, or else the colour named by the
    link's row.
    """
    if link is None:
        return _WAY, 1.5
    seat, word = holder(link), band(link.face)
    if seat >= 0:
        return pen.seats[seat], 7
    return (word and colour_of(word)) or _WAY, 4 if word else _PLAIN


def _on_way(pen: Pen, link: Space, x: float, y: float, size: float) -> Markup | None:
    """Draw the middle of a link: the things on the link, or, if its only value is a number, that number."""
    if not is_bare(link):
        return content(pen, link, x, y, size, 1.4 * size)
    columns = link.face.columns
    numbers = [each.text for each in columns if each.sort == "number" and not each.is_silent]
    return label(numbers[0], x, y, 24, 14) if len(numbers) == 1 else None


def holder(link: Space) -> int:
    """Return the player named by the values of a link, or -1 if they do not name exactly one."""
    named = [*map(seat_of, link.parts), *map(seat_of, link.on.counters)]
    seats = {*named} - {-1}
    return seats.pop() if len(seats) == 1 else -1


def _between(a: Box, b: Box) -> tuple[float, float, float, float]:
    """Return the ends of the part of a line that lies between two boxes."""
    return *_rim(a, b), *_rim(b, a)


def _rim(box: Box, other: Box) -> Point:
    """Return the point where the line to another box leaves this box, or the centre of this box if the
    boxes overlap.
    """
    x, y = other.x - box.x, other.y - box.y
    shares = [half / abs(way) for half, way in ((box.width / 2, x), (box.height / 2, y)) if way]
    share = min(shares, default=0.0)
    return (box.x + x * share, box.y + y * share) if share < 0.5 else (box.x, box.y)


def _draw_box(pen: Pen, box: Box) -> Markup:
    standing = tuple(pen.standing_on(each) for each in (box.space, *box.inside))
    what = "spot", box.x, box.y, box.width, box.height, standing
    if any(each.is_touched for each in box.inside):
        return _spot(pen, box)
    return pen.draw(what, box.space, lambda: _spot(pen, box), *box.inside)


def _spot(pen: Pen, box: Box) -> Markup:
    space = box.space
    left, top = box.x - box.width / 2, box.y - box.height / 2
    classes = "rw-cell rw-spot"
    classes += " rw-changed" if space.is_changed else ""
    classes += " rw-marked" if space.is_marked else ""
    classes += " rw-can" if space.options and pen.is_live else ""
    lines = lines_of(space.face.title, box.width - 8, _TITLE, 2)
    name = [
        tag(
            "text",
            line,
            x=box.x,
            y=top + 4 + (number + 0.85) * _TITLE * 1.15,
            text_anchor="middle",
            font_size=_TITLE,
            font_weight="bold",
            fill="#202327",
            class_="rw-label",
        )
        for number, line in enumerate(lines)
    ]
    below = top + 6 + len(lines) * _TITLE * 1.15
    body = None
    if not is_bare(space) or pen.standing_on(space):
        body = content(pen, space, box.x, below + _CHIP / 2, _CHIP, box.width - 8)
        below += _CHIP
    elif not box.inside:
        below += _CHIP
    return tag(
        "g",
        tag("title", describe_space(pen, space)),
        tag(
            "rect",
            x=left,
            y=top,
            width=box.width,
            height=box.height,
            rx=8,
            fill=_PAPER,
            stroke=_LINE,
            stroke_width=1.5,
        ),
        *name,
        body,
        *(
            _chip(pen, each, x, y, width)
            for each, (x, y, width) in zip(box.inside, _chips(box, below), strict=True)
        ),
        in_corners(pen, space, left + 1, top + 1, left + box.width - 1, top + box.height - 1),
        class_=classes,
        data_space=space.face.kind,
        data_row=space.face.row,
    )


def _chips(box: Box, below: float) -> list[tuple[float, float, float]]:
    """Return the centres of the spaces inside a box, and their width; the spaces of a row share the width
    of the box.
    """
    across = max(1, min(4, len(box.inside)))
    step = (box.width - _GAP) / across
    return [
        (
            box.x
            + (at % across - (min(across, len(box.inside) - at // across * across) - 1) / 2) * step,
            below + (at // across) * (_CHIP + _GAP) + _CHIP / 2,
            step - _GAP,
        )
        for at in range(len(box.inside))
    ]


def _chip(pen: Pen, space: Space, x: float, y: float, width: float) -> Markup:
    """Draw a small space inside another space: its content, or its name if it is empty."""
    classes = "rw-cell rw-chip" + (" rw-changed" if space.is_changed else "")
    word = band(space.face)
    return tag(
        "g",
        tag("title", describe_space(pen, space)),
        tag(
            "rect",
            x=x - width / 2,
            y=y - _CHIP / 2,
            width=width,
            height=_CHIP,
            rx=5,
            fill="#fbf9f4",
            stroke=_LINE,
            class_=f"rw-c-{word}" if word else None,
        ),
        label(_short(space), x, y, width - 4, 9.5)
        if is_bare(space) and not pen.standing_on(space)
        else content(pen, space, x, y, _CHIP),
        class_=classes,
        data_space=space.face.kind,
        data_row=space.face.row,
    )


def _short(space: Space) -> str:
    names = [
        column.text
        for column in space.face.columns
        if column.sort in ("name", "number") and not column.is_silent
    ]
    return names[0] if names else space.face.title


def _hits(
    pen: Pen,
    boxes: Sequence[Box],
    board: Board,
    at: Mapping[int, Box],
    links: Mapping[int, Space],
) -> Iterator[Markup]:
    for edge in board.edges:
        link = links.get(edge.space)
        if link and link.options and edge.start in at and edge.end in at:
            x1, y1, x2, y2 = _between(at[edge.start], at[edge.end])
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            yield pen.over(link.options, describe_space(pen, link), (x - 16, y - 16, 32, 32))
    for box in boxes:
        left, top = box.x - box.width / 2, box.y - box.height / 2
        yield pen.over(
            box.space.options, describe_space(pen, box.space), (left, top, box.width, box.height)
        )
        lines = len(lines_of(box.space.face.title, box.width - 8, _TITLE, 2))
        below = top + 6 + lines * _TITLE * 1.15
        below += 0.0 if box.inside and is_bare(box.space) else _CHIP
        for each, (x, y, width) in zip(box.inside, _chips(box, below), strict=True):
            area = x - width / 2, y - _CHIP / 2, width, _CHIP
            yield pen.over(each.options, describe_space(pen, each), area)
