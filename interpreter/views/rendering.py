"""Renders a position as text: its boards, and everything else that a viewer sees in words.

This module does not depend on terminals.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.dsl.ir import OVER, PLAYER, BoardView, SpaceKind
from rulewright.interpreter.views.board import Lines, Table, panels, with_borders
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.grids import Grid, grid_texts
from rulewright.interpreter.views.marked import plain
from rulewright.interpreter.views.view import ALL_SEEING, PublicView, View

WIDE = 1000
"""A width that fits every line."""


def boards_in(
    compiled: CompiledGame,
    cells: array[int],
    view: View,
    me: int,
    public: PublicView | None = None,
) -> list[Grid | Lines]:
    """Return the boards in the order of the rules, then the grids that the rules do not mention.

    If `public`, the public view of the state, is given, boards that are the same for all players
    are cached in it.
    """
    kinds = {kind.name: kind for kind in compiled.program.spaces if kind.places}
    found: list[Grid | Lines] = []
    for number, board in enumerate(compiled.program.boards):
        kind = kinds.pop(board.space, None)
        if board.space and kind is None:
            continue
        known = None if public is None or board.of_player else public.boards.get(number)
        if not isinstance(known, Grid | Lines):
            known = _board(compiled, cells, board, kind, me)
            if public is not None and not board.of_player:
                public.boards[number] = known
        found.append(known)
    for kind in kinds.values():
        texts = grid_texts(view, kind, compiled.words.players)
        found.append(Grid(kind, texts, compiled.words.tells_spaces))
    return found


def _board(
    compiled: CompiledGame, cells: array[int], board: BoardView, kind: SpaceKind | None, me: int
) -> Grid | Lines:
    title = compiled.board_title(cells, board, me)
    owner = compiled.board_owner(cells, board, me)
    if owner < 0 and board.of_player:
        owner = me
    notes = compiled.board_notes(cells, board, me)
    if kind is None:
        return Lines(compiled.board_lines(cells, board, me), title, notes, owner=owner)
    texts = compiled.board_texts(cells, board.space, me) or {}
    marked = compiled.board_marks(cells, board, me)
    tells = compiled.words.tells_spaces
    return Grid(kind, texts, tells, notes, title, marked=marked, owner=owner)


EMPTY_CELL = "."
"""The text of an empty cell."""


def drawn_cells(compiled: CompiledGame, cells: array[int], space: str) -> dict[int, str]:
    """Return the text of each non-empty cell of a grid, for a viewer who sees everything."""
    view = compiled.viewer.view(cells, ALL_SEEING)
    boards = boards_in(compiled, cells, view, max(0, cells[PLAYER]))
    return {
        cell: "".join(plain(text).split())
        for board in boards
        if isinstance(board, Grid) and board.kind.name == space
        for cell, text in board.texts.items()
    }


def in_words(
    compiled: CompiledGame, cells: array[int], viewer: int, scores: Sequence[str] = ()
) -> str:
    """Describe everything that a viewer sees of a position. Boards are drawn from the viewer's side."""
    public = compiled.viewer.public(cells)
    view = compiled.viewer.view(cells, viewer, public)
    program = compiled.program
    acting = None if cells[OVER] else cells[PLAYER]
    whose = viewer if viewer >= 0 else max(0, cells[PLAYER])
    boards = with_borders(boards_in(compiled, cells, view, whose, public))
    spoken = frozenset(name for board in program.boards for name in board.spoken)
    of_players = frozenset(name for board in program.boards for name in board.of_players)
    table = Table(compiled.words.players, acting, program.sides, scores)
    found = panels(view, boards, table, WIDE, spoken, of_players)
    return "\n\n".join(panel.text for panel in found)
