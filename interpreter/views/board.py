"""Draws a view as plain text for a terminal: grids as grids, everything else as short lists.

This module does not read states. Its input is a view, and the texts that the rules define for
cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import zip_longest

import attrs

from rulewright.interpreter.views.contents import (
    EMPTY,
    HIDDEN,
    NONE,
    token_text,
    zone_text,
)
from rulewright.interpreter.views.grids import WIDTH, Grid, draw_grid
from rulewright.interpreter.views.marked import mark, pad, plain, room_of, shorten, wrap
from rulewright.interpreter.views.view import Place, View

_NOTHING = (EMPTY, HIDDEN, NONE, "no")  # texts without information
_GAP = "   "
_NARROWEST = 9  # the minimum width of a player's column
_DEEPEST = 3  # the maximum number of lines of an entry in such a column
CHANGED = " <"
"""The characters that follow a changed line until the line is drawn."""
_GLUED = "\N{NO-BREAK SPACE}<"  # The same mark, kept on the last line when the text is wrapped.
_ROOM = "\N{NO-BREAK SPACE}" * 2  # The space that an unchanged line has in place of the mark.
_NOTE = 40  # The minimum width for the notes below a board.
_LONG = 6  # The maximum number of lines of a board of words in one column.
_MANY = 24  # The maximum number of things of a kind for which empty things are listed too.
_MANY_ROWS = 8  # If there are more rows for things of players, empty rows are left out.


@attrs.define
class Places:
    """The layout of earlier screens: the width and height of each board, and the length of its longest line.

    `below` contains the titles of players' things that were too long for a column.
    """

    boards: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    longest: dict[int, int] = attrs.field(factory=dict)
    below: set[str] = attrs.field(factory=set)


@attrs.frozen
class Lines:
    """Lines of words to be drawn, with a title and notes."""

    texts: tuple[str, ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    changed: frozenset[str] = frozenset()
    owner: int = -1


def small(board: Grid | Lines) -> Grid | Lines:
    """Return a board without notes and empty borders, which takes fewer lines."""
    if isinstance(board, Grid):
        return attrs.evolve(board, notes=(), border=0)
    return attrs.evolve(board, notes=())


def shorter(board: Lines, number: int, named: Set[str]) -> Lines:
    """Shorten a board to `number` lines, and add a line that says how many are left out.

    Lines that contain one of the names in `named` are kept first, then changed lines, then the
    first lines of the board.
    """
    if number >= len(board.texts):
        return board
    ranks = [
        (not any(name in plain(text) for name in named), text not in board.changed, at)
        for at, text in enumerate(board.texts)
    ]
    kept = sorted(at for _, _, at in sorted(ranks)[:number])
    more = f"({len(board.texts) - number} more)"
    return attrs.evolve(board, texts=(*(board.texts[at] for at in kept), more), notes=())


def with_borders(boards: Sequence[Grid | Lines]) -> list[Grid | Lines]:
    """Attach to each grid the grids of its corners and edges. These are then no longer separate boards."""
    borders = [each for each in boards if isinstance(each, Grid) and each.kind.of]
    found: list[Grid | Lines] = []
    for board in boards:
        if not isinstance(board, Grid):
            found.append(board)
        elif not board.kind.of:
            own = tuple(each for each in borders if each.kind.of == board.kind.name)
            notes = (*board.notes, *(note for each in own for note in each.notes))
            found.append(attrs.evolve(board, borders=own, notes=notes))
    return found


@attrs.frozen
class Panel:
    """A part of the drawing, with the kinds of its grids and the titles of its boards.

    If the part shows the things of all players, `own` is a short text about the viewer's things.
    """

    lines: tuple[str, ...]
    grids: frozenset[str] = frozenset()
    titles: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return all lines, without marks."""
        return plain(self.drawn)

    @property
    def drawn(self) -> str:
        """Return all lines, with marks."""
        return "\n".join(self.lines)


def mark_changes(
    boards: Sequence[Grid | Lines], before: Sequence[Grid | Lines]
) -> list[Grid | Lines]:
    """Mark in each board the lines or cells that differ from an earlier drawing of the same board."""
    found: list[Grid | Lines] = []
    for board, old in zip(boards, before, strict=True):
        match board, old:
            case Grid(), Grid():
                found.append(_mark_grid(board, old))
            case Lines(), Lines() if old.texts:
                other_lines = frozenset(board.texts) - frozenset(old.texts)
                found.append(attrs.evolve(board, changed=other_lines))
            case _:
                found.append(board)
    return found


def _mark_grid(board: Grid, old: Grid) -> Grid:
    borders = tuple(map(_mark_grid, board.borders, old.borders))
    now, then = board.texts, old.texts
    other = {at for at in {*now, *then} if now.get(at) != then.get(at)} if then else ()
    return attrs.evolve(board, changed=frozenset(other), borders=borders)


@attrs.frozen
class Table:
    """The players at the table: their names, the player who decides, their sides, and their scores
    if these may be shown."""

    players: Sequence[str]
    acting: int | None = None
    sides: Sequence[str] = ()
    scores: Sequence[str] = ()


def panels(
    view: View,
    boards: Sequence[Grid | Lines],
    table: Table,
    width: int = WIDTH,
    spoken: frozenset[str] = frozenset(),
    of_players: frozenset[str] = frozenset(),
    places: Places | None = None,
) -> list[Panel]:
    """Draw the position as panels, in the order in which they are shown.

    Boards are drawn next to each other if they fit. Things that the boards already show are not
    repeated. `spoken` and `of_players` contain the names of these things; the latter are those of
    players. `places` stores the layout of earlier screens, so that boards keep their positions even
    if lines are marked.
    """
    found = board_panels(boards, width, places)
    on_grids = {name for panel in found for name in panel.grids}

    def is_left(place: Place) -> bool:
        return place.name not in (of_players if place.owner == "player" else spoken)

    rest = attrs.evolve(
        view,
        zones=tuple(zone for zone in view.zones if is_left(zone.place)),
        tokens=tuple(tokens for tokens in view.tokens if is_left(tokens.place)),
        values=tuple(value for value in view.values if is_left(value.place)),
    )
    blocks = [_table(rest, width)]
    kinds = dict.fromkeys(
        place.owner for place in _places(rest) if place.owner not in ("", "player", *on_grids)
    )
    blocks.extend(_things(rest, kind, width) for kind in kinds)
    of_all = [Panel(tuple(block)) for block in blocks]
    of_all.append(_players(rest, table, width, places or Places()))
    return [*found, *(panel for panel in of_all if panel.lines)]


@attrs.define
class _Column:
    """A column of boards: its left edge, its width, its maximum height so far, and its lines."""

    left: int
    width: int
    height: int
    lines: list[str]


@attrs.define
class _Row:
    """Columns next to each other, with the kinds of their grids and the titles of their boards."""

    columns: list[_Column] = attrs.field(factory=list)
    grids: set[str] = attrs.field(factory=set)
    titles: list[str] = attrs.field(factory=list)

    def takes(self, block: list[str], size: tuple[int, int], across: int) -> bool:
        """Add a block after the last column, or else below a column with enough room.

        Returns whether the block fits.
        """
        width, height = size
        last = self.columns[-1] if self.columns else None
        left = last.left + last.width + len(_GAP) if last else 0
        if not last or left + width <= across:
            self.columns.append(_Column(left, width, height, block))
            return True
        most = max(column.height for column in self.columns)
        for column in self.columns:
            room = across - column.left if column is last else column.width
            if width <= room and column.height + 1 + height <= most:
                column.width = max(column.width, width)
                column.height += 1 + height
                column.lines += [*([""] if column.lines and block else []), *block]
                return True
        return False

    @property
    def panel(self) -> Panel:
        """Return the panel of all columns, next to each other."""
        lines: list[str] = []
        for column in self.columns:
            beside = zip_longest(lines, column.lines, fillvalue="")
            lines = [f"{pad(old, column.left)}{new}".rstrip() for old, new in beside]
        return Panel(tuple(lines), frozenset(self.grids), tuple(self.titles))


def board_panels(boards: Sequence[Grid | Lines], width: int, places: Places | None) -> list[Panel]:
    """Draw boards in rows, as many per row as fit. Each board keeps the largest size that it has had so far."""
    rows = [_Row()]
    is_marked = places is not None
    places = places or Places()
    known = places.boards
    for number, board in enumerate(boards):
        if isinstance(board, Grid) and not board.kind.places:
            continue
        least = places.longest.get(number, 0)
        if isinstance(board, Lines):
            least = places.longest[number] = max(least, *map(room_of, board.texts), 0)
        block = [] if _is_gone(board) else _draw_board(board, width, least, is_marked=is_marked)
        if not block and number not in known:
            continue
        across, high = known.get(number, (0, 0))
        size = known[number] = max(across, *map(room_of, block), 0), max(high, len(block))
        if not rows[-1].takes(block, size, width):
            rows.append(_Row())
            rows[-1].takes(block, size, width)
        if isinstance(board, Grid):
            rows[-1].grids.update(each.kind.name for each in (board, *board.borders))
        rows[-1].titles.append(board.title)
    return [panel for row in rows if any((panel := row.panel).lines)]


def _is_gone(board: Grid | Lines) -> bool:
    return isinstance(board, Lines) and not board.texts


def _draw_board(board: Grid | Lines, width: int, least: int, *, is_marked: bool) -> list[str]:
    """Draw a board as lines. If changes are marked, each line has space for a mark at its end.

    Columns are wide enough for lines of at least `least` characters.
    """
    if isinstance(board, Grid):
        lines = draw_grid(board, width)
        lines = [*lines, *_wrap_notes(board.notes, lines, width)]
        return [*wrap(board.title, width), *lines] if board.title else lines
    room = _ROOM if is_marked else ""
    texts = [f"{text}{_GLUED if text in board.changed else room}" for text in board.texts]
    if len(texts) > _LONG:
        lines = columns_of(texts, width, least=least + len(room))
    else:
        lines = [line for text in texts for line in wrap(text, width, subsequent_indent="  ")]
    lines = [line.replace(_GLUED, mark(CHANGED)).replace(_ROOM, "  ").rstrip() for line in lines]
    lines = [board.title, *lines] if board.title else lines
    return [*lines, *_wrap_notes(board.notes, lines, width)]


def _wrap_notes(notes: Sequence[str], lines: Sequence[str], width: int) -> Iterator[str]:
    """Wrap the notes below a board to the width of the board, so that other boards fit next to them."""
    across = min(width, max(_NOTE, *map(room_of, lines)))
    return (line for note in notes for line in wrap(note, across))


def _places(view: View) -> Iterator[Place]:
    yield from (zone.place for zone in view.zones)
    yield from (tokens.place for tokens in view.tokens)
    yield from (value.place for value in view.values)


def _entries(view: View, owner: str, owner_id: int | None) -> Iterator[tuple[str, str]]:
    """Yield the title and the text of each thing of one owner. If `owner` is "", the things belong to the table."""

    def theirs(place: Place) -> bool:
        return place.owner == owner and owner_id in (None, place.owner_id)

    for zone in view.zones:
        if theirs(zone.place):
            yield zone.place.title, zone_text(zone)
    for tokens in view.tokens:
        if theirs(tokens.place):
            yield tokens.place.title, token_text(tokens)
    for value in view.values:
        if theirs(value.place):
            yield value.place.title, value.text


def _table(view: View, width: int) -> list[str]:
    """Describe the things on the table. Only the titles of empty and hidden things are listed."""
    entries = list(_entries(view, "", None))
    shown = [f"{title}: {text}" for title, text in entries if text not in _NOTHING]
    for nothing in (EMPTY, HIDDEN):
        titles = [title for title, text in entries if text == nothing]
        if nothing == HIDDEN:
            titles = _in_short(titles, [title for title, text in entries if text != HIDDEN])
        shown += [f"{nothing}: {', '.join(titles)}"] if titles else []
    return flow(shown, width)


def _in_short(hidden: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Shorten the titles of hidden things: titles that differ only in their indices are merged into one."""
    some = {title.partition(" (")[0] for title in shown}
    short = (title if (name := title.partition(" (")[0]) in some else name for title in hidden)
    return list(dict.fromkeys(short))


def flow(texts: Iterable[str], width: int) -> list[str]:
    """Join the texts into lines, with as many texts per line as fit."""
    lines: list[str] = []
    for text in texts:
        if lines and room_of(lines[-1]) + len(_GAP) + room_of(text) <= width:
            lines[-1] += _GAP + text
        else:
            lines += wrap(text, width, subsequent_indent="    ")
    return lines


def _things(view: View, kind: str, width: int) -> list[str]:
    """Describe the things on the spaces or pieces of a kind: short texts in columns, longer ones on
    lines of their own."""
    owners = {place.owner_id: place.of_text for place in _places(view) if place.owner == kind}
    silent = _NOTHING if len(owners) > _MANY else (EMPTY, "no")
    entries = []
    for owner_id, name in sorted(owners.items()):
        shown = [
            f"{title}: {text}"
            for title, text in _entries(view, kind, owner_id)
            if text not in silent
        ]
        if shown:
            entries.append((name, "; ".join(shown)))
    if not entries:
        return []
    side = max(room_of(name) for name, _ in entries)
    return columns_of([f"{pad(name, side)}  {text}" for name, text in entries], width, side + 2)


def columns_of(texts: Sequence[str], width: int, indent: int = 2, least: int = 0) -> list[str]:
    """Arrange texts in columns that are at least `least` wide, and that are read from top to bottom.

    If two columns do not fit, each text gets lines of its own.
    """
    longest = max(least, *map(room_of, texts))
    columns = (width + 3) // (longest + 3)
    if columns < 2:
        return [
            line for text in texts for line in wrap(text, width, subsequent_indent=" " * indent)
        ]
    columns = next((n for n in range(columns, 1, -1) if len(texts) % n == 0), columns)
    rows = -(-len(texts) // columns)
    return [
        "   ".join(pad(text, longest) for text in texts[row::rows]).rstrip() for row in range(rows)
    ]


def _players(view: View, table: Table, width: int, places: Places) -> Panel:
    """Draw the things of all players, and describe the viewer's things in a short text.

    Titles for which no player has any information are left out.
    """
    heads = [
        f"{name}{' (you)' if seat == view.viewer else ''}{'' if view.in_play[seat] else ' (out)'}"
        for seat, name in enumerate(table.players)
    ]
    texts = _of_players(view, table)
    titles = [
        title
        for title in dict.fromkeys(title for each in texts for title in each)
        if any(each.get(title, EMPTY) not in _NOTHING for each in texts)
    ]
    if len(titles) > _MANY_ROWS:
        titles = [
            title
            for title in titles
            if any(each.get(title, EMPTY) not in (*_NOTHING, "0") for each in texts)
        ]
    if not titles and all(view.in_play):
        return Panel(())
    lines = _side_by_side(heads, titles, texts, table, width, places)
    own: list[str] = []
    if view.viewer >= 0:
        own = flow([heads[view.viewer], *_describe_things(titles, texts[view.viewer])], width)
    return Panel(tuple(lines), own=tuple(own))


def _of_players(view: View, table: Table) -> list[dict[str, str]]:
    """Return, for each player, the texts of the player's things, keyed by title."""
    texts = [dict(_entries(view, "player", seat)) for seat in range(len(table.players))]
    if table.sides:
        texts = [
            {"side": side.replace("_", " "), **each}
            for side, each in zip(table.sides, texts, strict=True)
        ]
    if any(table.scores):
        texts = [{"score": score, **each} for score, each in zip(table.scores, texts, strict=True)]
    return texts


def _describe_things(titles: Sequence[str], has: Mapping[str, str]) -> list[str]:
    """Describe each non-empty thing of a player, with its title."""
    return [f"{title}: {has[title]}" for title in titles if has.get(title, EMPTY) not in _NOTHING]


def _side_by_side(
    heads: Sequence[str],
    titles: Sequence[str],
    texts: Sequence[Mapping[str, str]],
    table: Table,
    width: int,
    places: Places,
) -> list[str]:
    """Draw a column for each player if the columns fit; otherwise draw the players one below the other.

    Things that are too long for a column, now or on an earlier screen, are listed below the
    columns.
    """
    players, acting = table.players, table.acting
    symbols = ["* " if seat == acting else "  " for seat in range(len(players))]
    side = max(map(len, titles), default=0)
    room = (width - side) // len(players) - 2
    if room < _NARROWEST and len(players) > 1:
        return _players_below([*map(str.__add__, symbols, heads)], titles, texts, width)
    rows = {
        title: [wrap(_short(each.get(title, EMPTY)), room) for each in texts] for title in titles
    }
    places.below.update(title for title, cells in rows.items() if max(map(len, cells)) > _DEEPEST)
    long = [title for title in rows if title in places.below]
    heads = [shorten(head, room) for head in heads]
    columns = [(symbols, "", heads)]
    for title, cells in rows.items():
        if title not in long:
            for number, parts in enumerate(zip_longest(*cells, fillvalue="")):
                columns.append((["  "] * len(players), "" if number else title, list(parts)))
    room = max(room_of(cell) for _, _, cells in columns for cell in cells)
    if acting and room_of(heads[acting - 1]) == room:
        room += 1  # the mark of the deciding player must not touch the name
    lines = [
        (
            label.ljust(side)
            + "".join(symbol + pad(cell, room) for symbol, cell in zip(stars, cells, strict=True))
        ).rstrip()
        for stars, label, cells in columns
    ]
    for title in long:
        lines += ["", title]
        for name, each in zip(players, texts, strict=True):
            text = each.get(title, EMPTY)
            if text not in _NOTHING:
                lines += wrap(
                    f"{name}: {text}", width - 2, initial_indent="  ", subsequent_indent="      "
                )
    return lines


def _short(text: str) -> str:
    return {EMPTY: "-", HIDDEN: "?"}.get(text, text)


def _players_below(
    heads: Sequence[str],
    titles: Sequence[str],
    texts: Sequence[Mapping[str, str]],
    width: int,
) -> list[str]:
    lines = []
    for head, each in zip(heads, texts, strict=True):
        lines += [head, *(f"  {line}" for line in flow(_describe_things(titles, each), width - 2))]
    return lines


def describe(
    view: View, is_meant: Callable[[tuple[str, ...]], bool], width: int = WIDTH
) -> list[str]:
    """Describe everything known about a thing if `is_meant` is true of the names of the thing."""
    texts = []
    for place, text in (
        *((zone.place, zone_text(zone)) for zone in view.zones),
        *((tokens.place, token_text(tokens)) for tokens in view.tokens),
        *((value.place, value.text) for value in view.values),
    ):
        if is_meant((place.of, place.of_text, place.name, place.label, place.title)):
            of = f"{place.of_text}: " if place.of else ""
            texts.append(f"{of}{place.title}: {text}")
    return [line for text in texts for line in wrap(text, width, subsequent_indent="    ")]
