"""Begins the turn of a player in the middle of the flow, for scenarios. This module does not run the turn."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from rulewright.dsl.ir import BOUND, FP, FRAME, GUARD, HALT, OVER, PLAYER, RESUME, SITE, SP
from rulewright.dsl.lowering.emit.turns import Flow, Turn
from rulewright.interpreter.engines.reference import Reference


def begin_turn(reference: Reference, cells: array[int], flow: Flow, player: int, name: str) -> str:
    """Begin the turn of a player, in the innermost loop that allows it, and return "".

    If no loop allows the turn, return the reason and change nothing.
    """
    if cells[OVER]:
        return "the game is over"
    if flow.awake and not cells[flow.awake]:
        return "setup, or an `at once` block, must end first"
    if any(cells[cell] for cell in flow.changed):
        return "a `do` with changed values must end first"
    others = []
    for turn, frame in _around(reference, cells, flow):
        if turn.together:
            return "all players decide together here"
        copy = cells[:]
        _leave(reference, copy, flow, turn, frame)
        if _advance_to(reference, copy, turn, player):
            cells[:] = copy
            return ""
        others.append(turn.span)
    if not others:
        return "nobody has a turn: the rules are now outside `each player`, `for each` and `as`"
    head = others[0].text.split("\n", 1)[0].strip()
    return f"`{head}` (line {others[0].line}) gives {name} no turn"


def _around(reference: Reference, cells: array[int], flow: Flow) -> Iterator[tuple[Turn, int]]:
    """Yield the running turns, each with its frame, innermost first."""
    block, frame = cells[RESUME], cells[FP]
    while frame and block != HALT:
        procedure = reference.program.blocks[block].procedure
        for turn in flow.turns:
            if turn.holds(procedure, block):
                yield turn, frame
        block, frame = cells[frame], cells[frame + 1]


def _leave(reference: Reference, cells: array[int], flow: Flow, turn: Turn, frame: int) -> None:
    """Discard the procedures that run inside a turn."""
    running = dict(flow.running)
    block, inner = cells[RESUME], cells[FP]
    while inner != frame:
        cell = running.get(reference.program.blocks[block].procedure)
        if cell is not None:
            cells[cell + cells[inner + FRAME]] -= 1
        block, inner = cells[inner], cells[inner + 1]
    end = frame + FRAME + reference.program.suspending[turn.procedure].locals
    cells[end : cells[SP]] = array("i", bytes(4 * (cells[SP] - end)))
    cells[FP], cells[SP] = frame, end
    cells[SITE] = cells[PLAYER] = -1
    cells[BOUND] = cells[GUARD] = 0


def _advance_to(reference: Reference, cells: array[int], turn: Turn, player: int) -> bool:
    """Advance from turn to turn until the turn of the player.

    Only the code that passes from one turn to the next is run.
    """
    base = cells[FP] + FRAME
    if turn.counter >= 0:
        cells[base + turn.counter] = 0
    block = turn.begin
    while block != turn.after:
        if block == turn.body:
            if cells[base + turn.who] == player:
                cells[RESUME] = block
                return True
            if turn.following < 0:
                return False
            block = turn.following
        block = reference.step(cells, block)
    return False
