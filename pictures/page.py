"""A position as HTML with inline SVG: either as sections, each with a stable id, or as a whole page.

`sections(scene, form, looks)` returns `Section`s: the question with all options as a form, boards, the
table, each player, and the last lines of the log. A section that has not changed has identical text, so
only the changed sections need to be sent. The sections for the table and the players end with zones that
have their own ids (`zone-...`), so a changed zone can be sent alone. `arrange_sections(sections, game)` puts the
sections into one element, `.rw-game`, which the stylesheet lays out; `document` makes a complete file.

No section has a `style` attribute or a script, and all text is escaped. These attributes contain
names from the rules:

- `data-zone`: a zone of pieces or place for tokens, by its name in the rules; `data-index` is its index
- `data-piece` and `data-row`: the kind of a piece and its row; `data-slot` is its place in a row
- `data-space` and `data-row`: the kind of a space and its row
- `data-column`: a column on a card, or a stored value; `data-value` is the name of its value
- `data-player`: the owner of a thing, as a number from 1
- `data-sheet`: a board of words, by its index among the boards in the rules, from 0

An option is a number, its place in `scene.decision.options`. An element that belongs to one option is a
button in the form `choose`, which sends `option=<number>` and has `data-option="<number>"`. An element that
belongs to several options is a link to the first of them in the list, with `data-options="3 4 5"` (see
`table.js`). The list in the section `question` has a button for every option, in an element with the id
`option-<number>`. The sections are:

- `question`: area `side`; the question, and the list of options
- `log`: area `side`; the lines since the previous decision (a server may send its own log instead)
- `table`: area `shared`; things that belong to nobody
- `board-0`, `board-1` ...: in the order of the rules. Grids and graphs go in the area `boards`. Lists of spaces
  go in `shared`, or in `boards` if that area would otherwise be empty. Boards of words go in `notes`. A board
  that only the viewer owns goes in `mine`.
- `player-0` ...: area `mine` for the viewer, `players` for others

The areas are in the order of `AREAS`: boards and the viewer's own things come before long lists. Long zones
are `details` with an id (`fold-...`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from hashlib import blake2b
from typing import Literal

import attrs

from rulewright.interpreter.views.scene import Board, Player, Scene, Sheet, Space
from rulewright.pictures.areas import player, things
from rulewright.pictures.looks import PLAIN, Looks
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen
from rulewright.pictures.question import Form, question
from rulewright.pictures.sheets import sheet
from rulewright.pictures.spaces import spaces
from rulewright.pictures.svg import graphs, grids
from rulewright.pictures.words import say

Area = Literal["side", "boards", "mine", "shared", "players", "notes"]
AREAS: tuple[Area, ...] = ("boards", "mine", "shared", "players", "notes")
"""The areas except the area of the question, in order."""


_END = "</section>"


@attrs.frozen(slots=False)
class Section:
    """A part of a page: its id, its title, its HTML (a `section` with this id), and its area.

    The HTML ends with `parts` that have their own ids: a client that already has the section needs only the
    changed parts.
    """

    id: str
    title: str
    head: Markup
    area: Area
    parts: tuple[tuple[str, Markup], ...] = ()
    end: str = _END

    @property
    def html(self) -> Markup:
        """The complete HTML of the section."""
        return Markup(f"{self.head}{''.join([html for _, html in self.parts])}{self.end}")

    @cached_property
    def digest(self) -> bytes:
        """A digest of the whole section, computed only once for a reused drawing."""
        return blake2b(self.html.encode(), digest_size=8).digest()


def sections(
    scene: Scene, form: Form | None = None, looks: Looks = PLAIN, *, is_live: bool = True
) -> tuple[Section, ...]:
    """Return all sections of a page for one viewer; unless `is_live`, nothing in boards and areas can be
    chosen.
    """
    pen = Pen(scene, looks, is_live)
    return tuple(_sections(pen, form or Form()))


def _sections(pen: Pen, form: Form) -> Iterator[Section]:
    scene = pen.scene
    yield _section(
        "question", say("picture-question"), question(scene, form), "side", live="polite"
    )
    yield pen.draw("table", scene.table, lambda: _table(pen))
    for seat in scene.players:
        yield pen.draw("player", seat, partial(_player, pen, seat))
    yield from _boards(pen)
    lines = [tag("li", line) for line in scene.log]
    title = say("picture-log")
    log = inner(tag("h3", title), tag("ol", *lines, class_="rw-log"))
    yield _section("log", title, log if lines else Markup(""), "side", live="polite")


def _table(pen: Pen) -> Section:
    is_alone = len(pen.scene.players) == 1
    parts = things(pen, pen.scene.table, pen.scene.spoken, "table", is_whole=is_alone)
    return _section("table", say("picture-table"), Markup(""), "shared", parts=parts)


def _player(pen: Pen, seat: Player) -> Section:
    id = f"player-{seat.seat}"
    own = things(pen, seat.has, pen.scene.spoken_of_players, id, is_whole=seat.is_viewer)
    return _section(
        id,
        seat.name,
        player(pen, seat),
        "mine" if seat.is_viewer else "players",
        pen.seat_class(seat.seat) + (" rw-acting" if seat.is_acting else ""),
        player=seat.seat + 1,
        parts=own,
    )


def _boards(pen: Pen) -> Iterator[Section]:
    inside = _inside(pen.scene)
    is_drawn = any(_is_drawn(pen, each) for each in pen.scene.boards)
    for number, board in enumerate(pen.scene.boards):
        if isinstance(board, Sheet):
            area: Area = "mine" if 0 <= board.me == pen.scene.viewer else "notes"
            what = "sheet", number, area
            yield pen.keep(what, board, partial(_sheet, pen, board, number, area))
        elif board.kind not in inside.hidden and not board.of:
            area = "shared" if is_drawn and not _is_drawn(pen, board) else "boards"
            make = partial(_board, pen, board, f"board-{number}", area, inside)
            within = pen.scene.borders(board) if board.is_grid else inside.boards
            if any(each.is_touched for each in within):
                yield make()
            else:
                standing = tuple(pen.standing(each.kind) for each in (board, *within))
                yield pen.draw(("board", number, area, standing), board, make, *within)


def _sheet(pen: Pen, board: Sheet, number: int, area: Area) -> Section:
    id, content = f"board-{number}", sheet(pen, board)
    return _section(id, board.title, content, area, "rw-sheet", sheet=number)


def _board(pen: Pen, board: Board, id: str, area: Area, inside: _Inside) -> Section:
    title = board.title or board.kind
    borders = pen.scene.borders(board)
    if board.is_grid:
        drawn = grids.picture(pen, board, title, borders)
    elif _is_drawn(pen, board):
        drawn = graphs.picture(pen, board, title, inside.of)
    else:
        drawn = spaces(pen, board, inside.of, id)
    notes = [tag("p", note, class_="rw-note") for one in (board, *borders) for note in one.notes]
    is_folded = drawn.startswith("<details")
    head = tag("h3", board.title) if board.title and not is_folded else None
    html = (
        inner(
            head,
            tag(
                "div",
                drawn,
                class_="rw-picture",
                tabindex=0,
                role="group",
                aria_label=title,
                data_whole=say("picture-whole"),
            ),
            *notes,
        )
        if drawn
        else Markup("")
    )
    classes = "rw-drawn" if board.is_grid else "rw-graph" if board.edges else "rw-listed"
    return _section(id, title, html, area, classes, space=board.kind)


def _is_drawn(pen: Pen, board: Board | Sheet) -> bool:
    """Return whether a board is a picture, and not a list of spaces or a board of words."""
    return isinstance(board, Board) and bool(
        board.is_grid or board.edges or board.kind in pen.looks.places
    )


@attrs.frozen
class _Inside:
    """The spaces that are drawn inside other spaces, and the kinds that are drawn nowhere else."""

    of: dict[int, list[Space]]
    hidden: frozenset[str]
    boards: tuple[Board, ...]


def _inside(scene: Scene) -> _Inside:
    boards = [board for board in scene.boards if isinstance(board, Board)]
    drawn = {space.id for board in boards if not board.is_grid for space in board.spaces}
    found: dict[int, list[Space]] = {}
    hidden = []
    for board in boards:
        parents = {space.inside for space in board.spaces}
        if board.is_grid or board.edges or not board.spaces or not parents <= drawn:
            continue
        hidden.append(board)
        for space in board.spaces:
            found.setdefault(space.inside, []).append(space)
    return _Inside(found, frozenset(board.kind for board in hidden), tuple(hidden))


def _section(
    id: str,
    title: str,
    content: Markup,
    area: Area,
    classes: str = "",
    *,
    parts: Sequence[tuple[str, Markup]] = (),
    live: str | None = None,
    player: int | None = None,
    space: str | None = None,
    sheet: int | None = None,
) -> Section:
    html = tag(
        "section",
        content,
        id=id,
        class_=f"rw-section rw-{id.partition('-')[0]} {classes}".strip(),
        aria_label=title or id,
        aria_live=live,
        hidden=not (content or parts),
        data_player=player,
        data_space=space,
        data_sheet=sheet,
    )
    return Section(id, title, Markup(html.removesuffix(_END)), area, (*parts,))


def arrange_sections(
    parts: Iterable[Section], game: str = "", *beside: Markup, id: str | None = None
) -> str:
    """Put sections into one element, which the stylesheet lays out; `beside` follows the question in its
    area.
    """
    found: dict[Area, list[Markup]] = {}
    for part in parts:
        found.setdefault(part.area, []).append(part.html)
    areas = (tag("div", *found[area], class_=f"rw-{area}") for area in AREAS if area in found)
    return str(
        tag(
            "div",
            tag("div", *found.get("side", ()), *beside, class_="rw-side"),
            tag("div", *areas, class_="rw-main"),
            class_="rw-game",
            id=id,
            data_game=game or None,
        )
    )


def document(title: str, body: str, css: str, script: str = "") -> str:
    """Return a complete page that includes its stylesheet, so that it can be saved as one file."""
    head = inner(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Markup(css.replace("</", "<\\/"))),
    )
    code = tag("script", Markup(script.replace("</", "<\\/")), type="module") if script else None
    page = tag("html", tag("head", head), tag("body", Markup(body), code), lang="en")
    return f"<!doctype html>\n{page}\n"
