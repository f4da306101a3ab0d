"""Points of all seats at once, where a line of the score looks for the same for each of them."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.lifting import lifted


def lifted_with_seats(program: ir.Program) -> tuple[ir.Program, Mapping[int, int]]:
    """The program with what is looked for again and again found once, and new procedures behind the others.

    They give the points of all seats as a list, each for a line of the score (its procedure) where it is worth it."""
    items = sorted({item.procedure for item in program.score})
    asked = {item: len(program.plain) + place for place, item in enumerate(items)}
    written = evolve(program, plain=(*program.plain, *(_of_all(program, item) for item in items)))
    found = lifted(written)
    worth = {
        item: number
        for item, number in asked.items()
        if found.plain[number] is not written.plain[number]
    }
    return (found, worth) if worth else (lifted(program), {})


def _of_all(program: ir.Program, item: int) -> ir.Plain:
    """The points of each seat for a line of the score, in order."""
    points, seat = range(2)
    turn = (ir.Append(points, ir.CallValue(item, (ir.Local(seat),))),)
    seats = ir.ForRange(seat, ir.Const(0), ir.Const(program.seats - 1), turn)
    name = f"{program.plain[item].name} of all seats"
    empty = ir.SetLocal(points, ir.Const(()))
    return ir.Plain(name, 0, 2, (empty, seats, ir.Return(ir.Local(points))))
