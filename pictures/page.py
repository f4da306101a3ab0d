"""A position as sections of HTML with inline SVG, each with an id that stays, and as a whole page.

`sections(scene, form, looks)` gives `Section`s: the question with all options as a form, boards, the table, each
player, the last lines of the log. Equal sections are equal text, so that only changed ones need be sent.
`arranged(sections, game)` puts them into one element, `.rw-game`, which the stylesheet lays out; `document` makes a
whole file of it.

No section has a `style` attribute or a script, and all text is escaped. Elements carry the names of the rules:

- `data-zone`: a place of pieces or tokens, by its name in the rules; `data-index` its index
- `data-piece` and `data-row`: the kind of a piece and its row; `data-slot` its place in a row
- `data-space` and `data-row`: the kind of a space and its row
- `data-column` and `data-value`: a column on a card or a stored value, and the name of the value there
- `data-player`: whose something is, as a number from 1
- `data-sheet`: a board of words, by its place among the boards of the rules, from 0

An option is a number, its place in `scene.decision.options`. An element that one option touches is a button of the
form `choose` that sends `option=<number>`, and has `data-option="<number>"`. One that several touch is a link to the
first of them in the list, with `data-options="3 4 5"` (see `table.js`). The list in the section `question` has a
button for every option, in an element with the id `option-<number>`. Sections:

- `question`: area `side`; what is asked, and the list of options
- `log`: area `side`; the lines since the decision before (a server may send its own log instead)
- `board-0`, `board-1` ...: area `boards`; grids, graphs, boards of words in the order of the rules
- `table`: area `boards`; what belongs to nobody
- `player-0` ...: area `players`; the viewer first
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from rulewright.interpreter.views.scene import Board, Scene, Sheet, Space
from rulewright.pictures.areas import player, things
from rulewright.pictures.looks import PLAIN, Looks
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen
from rulewright.pictures.question import Form, question
from rulewright.pictures.sheets import sheet
from rulewright.pictures.spaces import spaces
from rulewright.pictures.svg import graphs, grids

Area = Literal["side", "boards", "players"]


@attrs.frozen
class Section:
    """A part of a page: its id, its title, all of its HTML (a `section` with this id), and where it stands."""

    id: str
    title: str
    html: str
    area: Area


def sections(
    scene: Scene, form: Form | None = None, looks: Looks = PLAIN, *, is_live: bool = True
) -> tuple[Section, ...]:
    """All parts of a page for one viewer; without `is_live` nothing in boards and areas can be chosen."""
    pen = Pen(scene, looks, is_live)
    return tuple(_sections(pen, form or Form()))


def _sections(pen: Pen, form: Form) -> Iterator[Section]:
    scene = pen.scene
    yield _section("question", "Question", question(scene, form), "side", live="polite")
    yield from _boards(pen)
    yield _section("table", "Table", things(pen, scene.table, scene.spoken), "boards")
    for seat in sorted(scene.players, key=lambda each: not each.is_viewer):
        classes = pen.seat_class(seat.seat) + (" rw-acting" if seat.is_acting else "")
        html = player(pen, seat, scene.spoken_of_players)
        yield _section(
            f"player-{seat.seat}", seat.name, html, "players", classes, player=seat.seat + 1
        )
    lines = [tag("li", line) for line in scene.log]
    log = inner(tag("h3", "What happened"), tag("ol", *lines, class_="rw-log"))
    yield _section("log", "What happened", log if lines else Markup(""), "side", live="polite")


def _boards(pen: Pen) -> Iterator[Section]:
    inside = _inside(pen.scene)
    for number, board in enumerate(pen.scene.boards):
        id = f"board-{number}"
        if isinstance(board, Sheet):
            yield _section(id, board.title, sheet(pen, board), "boards", "rw-sheet", sheet=number)
            continue
        if board.kind in inside.hidden:
            continue
        title = board.title or board.kind
        if board.is_grid:
            drawn = grids.picture(pen, board, title)
        elif board.edges or board.kind in pen.looks.places:
            drawn = graphs.picture(pen, board, title, inside.of)
        else:
            drawn = spaces(pen, board, inside.of)
        notes = [tag("p", note, class_="rw-note") for note in board.notes]
        is_folded = drawn.startswith("<details")
        head = tag("h3", board.title) if board.title and not is_folded else None
        html = (
            inner(
                head,
                tag("div", drawn, class_="rw-picture", tabindex=0, role="group", aria_label=title),
                *notes,
            )
            if drawn
            else Markup("")
        )
        classes = "rw-drawn" if board.is_grid else "rw-graph" if board.edges else "rw-listed"
        yield _section(id, title, html, "boards", classes, space=board.kind)


@attrs.frozen
class _Inside:
    """The spaces that are drawn inside others, and the kinds that are drawn nowhere else."""

    of: dict[int, list[Space]]
    hidden: frozenset[str]


def _inside(scene: Scene) -> _Inside:
    boards = [board for board in scene.boards if isinstance(board, Board)]
    drawn = {space.id for board in boards if not board.is_grid for space in board.spaces}
    found: dict[int, list[Space]] = {}
    hidden = set()
    for board in boards:
        parents = {space.inside for space in board.spaces}
        if board.is_grid or board.edges or not board.spaces or not parents <= drawn:
            continue
        hidden.add(board.kind)
        for space in board.spaces:
            found.setdefault(space.inside, []).append(space)
    return _Inside(found, frozenset(hidden))


def _section(
    id: str,
    title: str,
    content: Markup,
    area: Area,
    classes: str = "",
    *,
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
        hidden=not content,
        data_player=player,
        data_space=space,
        data_sheet=sheet,
    )
    return Section(id, title, str(html), area)


def arranged(parts: Sequence[Section], game: str = "") -> str:
    """Sections in one element that the stylesheet lays out: boards and players beside the question."""

    def those(area: Area) -> Markup:
        content = (Markup(part.html) for part in parts if part.area == area)
        return tag("div", *content, class_=f"rw-{area}")

    return str(
        tag(
            "div",
            those("side"),
            tag("div", those("boards"), those("players"), class_="rw-main"),
            class_="rw-game",
            data_game=game or None,
        )
    )


def document(title: str, body: str, css: str, script: str = "") -> str:
    """A whole page with its stylesheet inside it, to be kept as one file."""
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
