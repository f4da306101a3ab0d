"""Draws a position and its score as lines of text without colours, as far as one viewer may know them.

This module does not depend on terminals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.interpreter.knowledge.known_scores import KnownScore, known_scores
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.columns import table
from rulewright.interpreter.views.board import (
    Lines,
    Panel,
    Places,
    Table,
    describe,
    mark_changes,
    panels,
    with_borders,
)
from rulewright.interpreter.views.grids import Grid
from rulewright.interpreter.views.marked import plain
from rulewright.interpreter.views.rendering import boards_in
from rulewright.interpreter.views.view import ALL_SEEING, View

_EXPLAINED = re.compile(r"[:;,(]")
_NO_VIEW = View(ALL_SEEING, (), (), (), ())


def join_panels(panels: Sequence[Panel]) -> str:
    """Join panels into one text."""
    return "\n\n".join(panel.drawn for panel in panels if panel.lines)


def in_panels(
    state: State,
    viewer: int,
    me: int | None,
    across: int,
    places: Places | None = None,
    before: State | None = None,
) -> tuple[list[Grid | Lines], list[Panel]]:
    """Draw a position. Return its boards, with changes marked, and the whole position in panels."""
    view = state.view(viewer)
    acting = None if state.over else state.player
    whose = next((seat for seat in (me, viewer, acting) if seat is not None and seat >= 0), 0)
    program = state.compiled.program
    spoken = frozenset(name for board in program.boards for name in board.spoken)
    of_players = frozenset(name for board in program.boards for name in board.of_players)
    drawn = _boards(state, view, whose)
    if before is not None:
        drawn = mark_changes(drawn, _boards(before, before.view(viewer), whose))
    table = Table(state.players, acting, program.sides, totals(state, viewer))
    return drawn, panels(view, drawn, table, across, spoken, of_players, places)


def totals(state: State, viewer: int) -> list[str]:
    """Return the points of each player so far, with "?" for hidden points. If all points are
    hidden, return no entries."""
    program = state.compiled.program
    if not program.score or state.over:
        return []
    totals = [score.total for score in known_scores(state.compiled, state.cells, viewer)]
    if all(total is None for total in totals):
        return []
    return ["?" if total is None else str(total) for total in totals]


def score_lines(state: State, viewer: int) -> list[str]:
    """Return the score sheet so far, with "?" for items that depend on something hidden."""
    scores = known_scores(state.compiled, state.cells, viewer)
    if not any(score.items for score in scores):
        return ["no score is kept"]
    items = [text for text, _ in scores[0].items]
    rows = [
        ["", *(score.name for score in scores)],
        *([text, *map(_points, column)] for text, *column in _columns(items, scores)),
    ]
    if len(items) > 1:
        rows.append(["total", *(_points(score.total) for score in scores)])
    return [*table(rows), *state.tie()]


def _columns(items: Sequence[str], scores: Sequence[KnownScore]) -> Iterator[list[Any]]:
    for number, text in enumerate(items):
        yield [text, *(score.items[number][1] for score in scores)]


def _points(points: int | None) -> str:
    return "?" if points is None else str(points)


def boards_of(state: State, viewer: int, across: int) -> list[tuple[str, list[str]]]:
    """Draw each board with its title, at most `across` columns wide."""
    seat = viewer if viewer >= 0 else max(state.player, 0)
    found = []
    for board in _boards(state, state.view(viewer), seat):
        (panel,) = panels(_NO_VIEW, [board], Table(()), across) or (Panel(()),)
        found.append((name_of_board(board), panel.text.splitlines()))
    return found


def things_of(state: State, viewer: int, seat: int, across: int) -> list[str]:
    """Draw the boards of a player, and list everything that the player has."""
    boards = [board for board in _boards(state, state.view(viewer), seat) if board.owner == seat]
    text = plain(join_panels(panels(_NO_VIEW, boards, Table(()), across)))
    name = state.players[seat]
    has = describe(state.view(viewer), lambda names: name in names, across)
    said = [line for line in has if not is_silent(line)] or has
    return [*text.splitlines(), *([""] if text and said else []), *said]


def is_silent(line: str) -> bool:
    """Return whether a line says only that a place is empty."""
    return line.endswith((": none", ": no", ": empty"))


def name_of_board(board: Grid | Lines) -> str:
    """Return the title of a board without marks, or `the board` for a grid without a title."""
    return plain(board.title) or ("the board" if isinstance(board, Grid) else "")


def lines_of_boards(state: State, viewer: int) -> list[str]:
    """Return the lines of the boards of words."""
    seat = viewer if viewer >= 0 else max(state.player, 0)
    boards = _boards(state, state.view(viewer), seat)
    return [text for board in boards if isinstance(board, Lines) for text in board.texts]


def _boards(state: State, view: View, me: int) -> list[Grid | Lines]:
    return with_borders(boards_in(state.compiled, state.cells, view, me, state.public_view))


def short_title(title: str) -> str:
    """Return the name of a board: its title without the explanation.

    >>> short_title("Europe (in brackets: glory)")
    'Europe'
    """
    return _EXPLAINED.split(title)[0].strip()


def _wins(name: str) -> str:
    return "you win" if name == "you" else f"{name} wins"


def ending(state: State, called: Sequence[str] = ()) -> Iterator[str]:
    """Yield the winners, and the score sheet. `called` gives the names to show for the players."""
    names = [(called or state.players)[winner] for winner in state.winners]
    sides = state.compiled.program.sides
    if not names:
        yield "The game is over: a draw."
    elif sides and len({sides[winner] for winner in state.winners}) == 1:
        side = sides[state.winners[0]].replace("_", " ")
        won = f"{', '.join(names[:-1])} and {names[-1]} win" if names[1:] else _wins(names[0])
        yield f"The game is over: {won} ({side})."
    elif len(names) == 1:
        yield f"The game is over: {_wins(names[0])}."
    else:
        yield f"The game is over: {', '.join(names[:-1])} and {names[-1]} share the victory."
    if any(score.items for score in state.scores):
        yield ""
        yield str(state.scores)
    yield from state.tie(called)
