"""What a person sees of a play at a terminal: position, events, options, score sheet.

Refuses to read input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from shutil import get_terminal_size
from textwrap import wrap

from rulewright.interpreter.plays.play import Event
from rulewright.interpreter.plays.state import State
from rulewright.interpreter.viewing.board import Grid, Lines, draw, grid_texts
from rulewright.interpreter.viewing.told import NOBODY
from rulewright.interpreter.viewing.views import View
from rulewright.interpreter.wording.scores import Scores

_WIDEST = 80
_NARROWEST = 40


def width() -> int:
    """How wide a line may be."""
    return max(_NARROWEST, min(_WIDEST, get_terminal_size((_WIDEST, 24)).columns))


def position(state: State, viewer: int, me: int | None = None) -> str:
    """The position as a viewer may know it, with the boards as they are for `me`."""
    view = state.view(viewer)
    acting = None if state.over else state.player
    whose = next((seat for seat in (me, viewer, acting) if seat is not None and seat >= 0), 0)
    boards = state.variant.program.boards
    spoken = frozenset(name for board in boards for name in board.spoken)
    of_players = frozenset(name for board in boards for name in board.of_players)
    drawn = _boards(state, view, whose)
    return draw(
        view,
        state.players,
        drawn,
        acting,
        width(),
        spoken,
        of_players,
        state.variant.program.sides,
    )


def _boards(state: State, view: View, me: int) -> list[Grid | Lines]:
    """Boards in the order of the rules, then grids of which the rules say nothing."""
    variant = state.variant
    kinds = {kind.name: kind for kind in variant.program.spaces if kind.places}
    lettered = variant.words.tells_spaces
    found: list[Grid | Lines] = []
    for board in variant.program.boards:
        title = variant.board_title(state.cells, board, me)
        notes = variant.board_notes(state.cells, board, me)
        if not board.space:
            lines = variant.board_lines(state.cells, board, me)
            if lines:
                found.append(Lines(lines, title, notes))
        elif board.space in kinds:
            kind = kinds.pop(board.space)
            texts = variant.board_texts(state.cells, board.space, me) or {}
            found.append(Grid(kind, texts, lettered, notes, title))
    for kind in kinds.values():
        texts = grid_texts(view, kind, state.players)
        found.append(Grid(kind, texts, lettered))
    return found


def event_lines(events: Sequence[Event], names: Sequence[str], indent: str = "  ") -> list[str]:
    """What happened, one event after the other; of several alike in a row, one and how many."""
    texts = (
        event.text if event.player == NOBODY else f"{names[event.player]}: {event.text}"
        for event in events
    )
    counted = ((text, len(list(alike))) for text, alike in groupby(texts))
    return [
        line
        for text, times in counted
        for line in wrap(
            text if times == 1 else f"{text} ({times} times)",
            width(),
            initial_indent=indent,
            subsequent_indent=indent + "  ",
        )
    ]


def option_lines(labels: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Options with what is typed for them, in columns where they are many and short."""
    side = max(map(len, labels))
    lines = [f"{label:>{side}}  {text}" for label, text in zip(labels, texts, strict=True)]
    longest = max(map(len, lines))
    columns = min((width() - 2) // (longest + 3), -(-len(lines) // 5))
    if columns < 2:
        return [
            line
            for text in lines
            for line in wrap(text, width(), initial_indent="  ", subsequent_indent=" " * (side + 4))
        ]
    rows = -(-len(lines) // columns)
    return [
        ("  " + "   ".join(text.ljust(longest) for text in lines[row::rows])).rstrip()
        for row in range(rows)
    ]


def labels_of(names: Sequence[str]) -> list[str]:
    """What is typed for options: their numbers, but their names where some of these are numbers."""
    if any(name.isdecimal() for name in names):
        return list(names)
    return [str(number) for number in range(1, len(names) + 1)]


def ending(state: State) -> Iterator[str]:
    """Who has won, and the score sheet."""
    names = [state.players[winner] for winner in state.winners]
    sides = state.variant.program.sides
    if not names:
        yield "The game is over: a draw."
    elif sides and len({sides[winner] for winner in state.winners}) == 1:
        side = sides[state.winners[0]].replace("_", " ")
        yield f"The game is over: {', '.join(names[:-1])} and {names[-1]} win ({side})."
    elif len(names) == 1:
        yield f"The game is over: {names[0]} wins."
    else:
        yield f"The game is over: {', '.join(names[:-1])} and {names[-1]} share the victory."
    if any(score.items for score in state.scores):
        yield ""
        yield score_sheet(state.scores)


def score_sheet(scores: Scores) -> str:
    """The points of all players, item by item."""
    return str(scores)
