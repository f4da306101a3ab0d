"""Draw a board, a card, a pile or a whole position as standalone SVG, laid out here and without a
stylesheet.

A program without a browser can draw such SVG: `rulewright.pictures.raster` converts it to PNG.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulewright.interpreter.views.scene import Board, Piece, Player, Scene, Sheet, Things, Zone
from rulewright.interpreter.views.scene_faces import Face
from rulewright.pictures.colours import HUES, colour_of, ink_on
from rulewright.pictures.looks import PLAIN, Looks
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen, band
from rulewright.pictures.svg import graphs, grids
from rulewright.pictures.svg.letters import FAMILY, lines_of
from rulewright.pictures.words import say

WIDTH = 1000.0
_CARD = (110.0, 150.0)
_GAP, _LINE = 10.0, 15.0
_PAPER, _INK, _SOFT, _EDGE, _BACK = "#fbf9f4", "#202327", "#555d66", "#3c4046", "#5d6b7a"
_MOST = 8  # if a zone has more pieces, the rest is drawn as one back with a number


@attrs.frozen
class Drawn:
    """A drawing whose upper left corner is at (0, 0), and its size."""

    content: Markup
    width: float
    height: float

    def svg(self) -> str:
        """Return the drawing as the text of an SVG file."""
        width, height = self.width + 2 * _GAP, self.height + 2 * _GAP
        return str(
            tag(
                "svg",
                tag("rect", width=width, height=height, fill="#ffffff"),
                _translate(self, _GAP, _GAP),
                xmlns="http://www.w3.org/2000/svg",
                font_family=FAMILY,
                viewBox=f"0 0 {width:.0f} {height:.0f}",
                width=f"{width:.0f}",
                height=f"{height:.0f}",
            )
        )


def card(face: Face, count: int = 1, words: str = "") -> Drawn:
    """Draw a card: its title on a band in its colour, its columns, its text; for several cards in a pile,
    their number.
    """
    width, height = _CARD
    word = band(face)
    fill = (colour_of(word) if word else None) or HUES[0]
    titles = lines_of(face.title, width - 12, 11, 2)
    top = len(titles) * 13.0 + 8
    said = [
        f"{each.title} {each.text}" if each.sort != "flag" else each.title
        for each in face.columns
        if not each.is_silent and each.text != "0" and each.sort not in ("space", "piece")
    ]
    lines = [
        line for text in (*said, words or face.words) for line in lines_of(text, width - 12, 9)
    ]
    room = int((height - top - 8) // 11)
    if len(lines) > room:
        lines = [*lines[: room - 1], "\N{HORIZONTAL ELLIPSIS}"]
    parts = [
        _box(0, 0, width, height, _PAPER),
        _box(0, 0, width, top, fill),
        *_text(titles, 6, 14, 11, ink_on(fill), step=13, weight="bold"),
        *_text(lines, 6, top + 12, 9, _INK, step=11),
    ]
    if count > 1:
        parts += _number(count, width, height)
    content = tag("g", *parts, data_piece=face.kind, data_row=face.row)
    return Drawn(content, width, height)


def back(count: int = 1) -> Drawn:
    """Draw a hidden card, or several hidden cards as one, with their number."""
    width, height = _CARD
    parts = [_box(0, 0, width, height, _BACK)]
    if count > 1:
        parts += _number(count, width, height)
    return Drawn(tag("g", *parts), width, height)


def pile(zone: Zone, looks: Looks = PLAIN) -> Drawn:
    """Draw a pile as its top and its size; an empty pile is a dashed outline."""
    count = zone.count if zone.count is not None else len(zone.pieces)
    top = zone.pieces[-1] if zone.pieces else None
    if count == 0:
        empty = tag(
            "rect",
            x=0.5,
            y=0.5,
            width=_CARD[0] - 1,
            height=_CARD[1] - 1,
            rx=6,
            fill="none",
            stroke=_SOFT,
            stroke_dasharray="6 4",
        )
        return Drawn(empty, *_CARD)
    return _piece(top, count, looks)


def board(scene: Scene, number: int, looks: Looks = PLAIN) -> Drawn:
    """Draw the board with this place among the boards of a scene: a grid or a graph as a picture, others as
    lines.
    """
    found = scene.boards[number]
    if isinstance(found, Sheet):
        return _lines(found.title, found.lines)
    pen = Pen(scene, looks, is_live=False)
    picture = _picture(pen, found)
    if picture is not None:
        return picture
    return _lines(found.title, [space.face.title for space in found.spaces])


def _picture(pen: Pen, found: Board) -> Drawn | None:
    title = found.title or found.kind
    if not (found.spaces and (found.is_grid or found.edges or found.kind in pen.looks.places)):
        return None
    draw = (
        grids.picture(pen, found, title, pen.scene.borders(found))
        if found.is_grid
        else graphs.picture(pen, found, title, {})
    )
    head = draw[: draw.index(">")]
    width, height = (
        float(head.split(f' {name}="')[1].split('"')[0]) for name in ("width", "height")
    )
    return Drawn(draw, width, height)


def position(scene: Scene, looks: Looks = PLAIN) -> Drawn:
    """Draw a whole position: boards, the table, the players' things, boards of words."""
    rows: list[Drawn] = []
    alone = [
        number
        for number, each in enumerate(scene.boards)
        if not (isinstance(each, Board) and each.of)
    ]
    boards = [board(scene, number, looks) for number in alone]
    is_picture = [isinstance(scene.boards[number], Board) for number in alone]
    rows += _flow(each for each, shown in zip(boards, is_picture, strict=True) if shown)
    rows += _area(say("picture-table"), scene.table, looks)
    for seat in scene.players:
        rows += _area(_player_heading(seat), seat.has, looks)
    rows += _flow(each for each, shown in zip(boards, is_picture, strict=True) if not shown)
    return _stack(rows)


def _player_heading(seat: Player) -> str:
    return f"{seat.name} ({say('picture-acts')})" if seat.is_acting else seat.name


def _area(title: str, things: Things, looks: Looks) -> Iterator[Drawn]:
    """Yield a heading, stored values and tokens as a line, and the zones with their pieces."""
    facts = [
        *(
            f"{each.title} {each.total if each.counts is not None else '?'}"
            for each in things.tokens
        ),
        *(f"{each.title} {each.text}" for each in things.counters if not each.is_silent),
    ]
    zones = [each for each in things.zones if each.count != 0]
    if facts or zones:
        yield _lines(title, lines_of("; ".join(facts), WIDTH - 20, 11))
        yield from _flow(_zone(each, looks) for each in zones)


def _zone(zone: Zone, looks: Looks) -> Drawn:
    if zone.shape == "pile" or not zone.pieces:
        drawn = [pile(zone, looks)]
    else:
        drawn = [_piece(each, 1, looks) for each in zone.pieces[:_MOST]]
        rest = (zone.count or 0) - len(drawn)
        drawn += [back(rest)] if rest > 0 else []
    title = zone.title if zone.count is None else f"{zone.title} ({zone.count})"
    head = Drawn(inner(*_text([title], 0, 11, 11, _SOFT)), 7.0 * len(title), _LINE)
    return _stack([head, *_flow(drawn)])


def _piece(piece: Piece | None, count: int, looks: Looks) -> Drawn:
    if piece is None or piece.face is None:
        return back(count)
    return card(piece.face, count, looks.said(piece.face.clauses))


def _lines(title: str, lines: Iterable[str]) -> Drawn:
    texts = [line for each in lines for line in lines_of(each, WIDTH - 20, 11)]
    parts = [
        *_text([title], 0, 13, 13, _INK, weight="bold"),
        *_text(texts, 0, 13 + _LINE * 1.2, 11, _INK, step=_LINE),
    ]
    widest = max((7.0 * len(text) for text in (title, *texts)), default=0.0)
    return Drawn(tag("g", *parts), min(WIDTH, widest), _LINE * (len(texts) + 1.5))


def _flow(drawn: Iterable[Drawn]) -> Iterator[Drawn]:
    """Yield rows of drawings, side by side, in as many rows as needed; drawings that are too wide are
    scaled down.
    """
    row: list[Drawn] = []
    for each in map(_fit_to_width, drawn):
        if row and sum(one.width + _GAP for one in row) + each.width > WIDTH:
            yield _beside(row)
            row = []
        row.append(each)
    if row:
        yield _beside(row)


def _fit_to_width(drawn: Drawn) -> Drawn:
    scale = min(1.0, WIDTH / drawn.width) if drawn.width else 1.0
    if scale == 1.0:
        return drawn
    content = tag("g", drawn.content, transform=f"scale({scale:.4f})")
    return Drawn(content, drawn.width * scale, drawn.height * scale)


def _beside(row: list[Drawn]) -> Drawn:
    parts, x = [], 0.0
    for each in row:
        parts.append(_translate(each, x, 0.0))
        x += each.width + _GAP
    return Drawn(tag("g", *parts), x - _GAP, max(each.height for each in row))


def _stack(rows: list[Drawn]) -> Drawn:
    parts, y = [], 0.0
    for each in rows:
        parts.append(_translate(each, 0.0, y))
        y += each.height + _GAP
    width = max((each.width for each in rows), default=1.0)
    return Drawn(tag("g", *parts), width, max(1.0, y - _GAP))


def _translate(drawn: Drawn, x: float, y: float) -> Markup:
    return tag("g", drawn.content, transform=f"translate({x:.1f} {y:.1f})")


def _box(x: float, y: float, width: float, height: float, fill: str) -> Markup:
    return tag(
        "rect", x=x, y=y, width=width, height=height, rx=6, fill=fill, stroke=_EDGE, stroke_width=1
    )


def _number(count: int, width: float, height: float) -> list[Markup]:
    text = f"\N{MULTIPLICATION SIGN}{count}"
    return [
        _box(width - 36, height - 20, 36, 20, _INK),
        *_text([text], width - 30, height - 6, 11, "#ffffff", weight="bold"),
    ]


def _text(
    lines: Iterable[str],
    x: float,
    y: float,
    size: float,
    fill: str,
    *,
    step: float = _LINE,
    weight: str | None = None,
) -> list[Markup]:
    return [
        tag(
            "text",
            line,
            x=x,
            y=y + number * step,
            font_size=size,
            font_weight=weight,
            fill=fill,
        )
        for number, line in enumerate(lines)
    ]
