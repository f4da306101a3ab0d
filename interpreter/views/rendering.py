"""What a position looks like: its boards filled in, and all that a viewer sees of it in words.

Independent of terminals.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.dsl.ir import OVER, PLAYER
from rulewright.interpreter.views.board import Grid, Lines, Table, grid_texts, panels
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.view import View

WIDE = 1000
"""So many columns have room for every line as a whole."""


def boards_in(compiled: CompiledGame, cells: array[int], view: View, me: int) -> list[Grid | Lines]:
    """Boards in the order of the rules, then grids of which the rules say nothing."""
    kinds = {kind.name: kind for kind in compiled.program.spaces if kind.places}
    lettered = compiled.words.tells_spaces
    found: list[Grid | Lines] = []
    for board in compiled.program.boards:
        title = compiled.board_title(cells, board, me)
        notes = compiled.board_notes(cells, board, me)
        if not board.space:
            lines = compiled.board_lines(cells, board, me)
            found.append(Lines(lines, title, notes))
        elif board.space in kinds:
            kind = kinds.pop(board.space)
            texts = compiled.board_texts(cells, board.space, me) or {}
            marked = compiled.board_marks(cells, board, me)
            found.append(Grid(kind, texts, lettered, notes, title, marked=marked))
    for kind in kinds.values():
        texts = grid_texts(view, kind, compiled.words.players)
        found.append(Grid(kind, texts, lettered))
    return found


def in_words(
    compiled: CompiledGame, cells: array[int], viewer: int, scores: Sequence[str] = ()
) -> str:
    """All that a viewer sees of a position, with its boards as they are for that player."""
    view = compiled.viewer.view(cells, viewer)
    program = compiled.program
    acting = None if cells[OVER] else cells[PLAYER]
    whose = viewer if viewer >= 0 else max(0, cells[PLAYER])
    boards = boards_in(compiled, cells, view, whose)
    spoken = frozenset(name for board in program.boards for name in board.spoken)
    of_players = frozenset(name for board in program.boards for name in board.of_players)
    table = Table(compiled.words.players, acting, program.sides, scores)
    found = panels(view, boards, table, WIDE, spoken, of_players)
    return "\n\n".join(panel.text for panel in found)
