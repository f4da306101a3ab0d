"""Finds the locals of a suspending procedure whose values at the end of a block are the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import slots, walk

Settled: TypeAlias = dict[int, int]


def settled_values(
    program: ir.Program, number: int, blocks: Sequence[int], lists: frozenset[int]
) -> dict[int, Settled]:
    """Return, for each reachable block of a procedure, the certain values of its locals at the end.

    The slots in `lists` are left out.
    """
    procedure = program.suspending[number]
    first = range(procedure.parameters, procedure.locals)
    starts = {procedure.entry: {slot: 0 for slot in first if slot not in lists}}
    ends: dict[int, Settled] = {}
    todo = [procedure.entry]
    within = frozenset(blocks)
    while todo:
        block = todo.pop()
        end = ends[block] = _after(program.blocks[block].body, starts[block])
        for target, left in _ways(program.blocks[block].end):
            if target not in within:
                continue
            here = {slot: value for slot, value in end.items() if slot != left}
            known = starts.get(target)
            if known is not None:
                here = {slot: n for slot, n in here.items() if known.get(slot) == n}
            if here != known:
                starts[target] = here
                todo.append(target)
    return ends


def _after(body: Sequence[ir.Stmt], before: Settled) -> Settled:
    known = dict(before)
    for statement in body:
        value = None
        if isinstance(statement, ir.SetLocal):
            match statement.value:
                case ir.Const(int(number)):
                    value = number
                case ir.Local(slot):
                    value = known.get(slot)
                case _:
                    pass
        for slot in slots(walk(statement))[1]:
            known.pop(slot, None)
        if isinstance(statement, ir.SetLocal) and value is not None:
            known[statement.slot] = value
    return known


def _ways(end: ir.Terminator) -> list[tuple[int, int]]:
    """Return the blocks that may follow in the procedure, each with the slot that is set on the way there, or -1."""
    match end:
        case ir.Goto(target) | ir.Enter(target) | ir.Leave(target) | ir.CallThen(_, _, target):
            return [(target, -1)]
        case ir.Branch(_, then, otherwise) | ir.Try(then, otherwise, _):
            return [(then, -1), (otherwise, -1)]
        case ir.Choose(_, _, slot, target) | ir.Chance(_, _, slot, target):
            return [(target, slot)]
        case ir.Finish() | ir.EndGame():
            return []
