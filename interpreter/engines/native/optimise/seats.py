"""Computes the points of all seats at once, for score items that repeat the same search for each seat."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.lifting import lift_searches


def lifted_with_seats(program: ir.Program) -> tuple[ir.Program, Mapping[int, int]]:
    """Rewrite a program so that repeated searches are made once. Return the program and the new procedures.

    The second part of the result maps the procedure of a score item to a new procedure, which returns the points of
    all seats as a list. New procedures are added only where they save time, and are appended to the
    program.
    """
    items = sorted({item.procedure for item in program.score})
    asked = {item: len(program.plain) + place for place, item in enumerate(items)}
    written = evolve(program, plain=(*program.plain, *(_of_all(program, item) for item in items)))
    found = lift_searches(written)
    worth = {
        item: number
        for item, number in asked.items()
        if found.plain[number] is not written.plain[number]
    }
    return (found, worth) if worth else (lift_searches(program), {})


def _of_all(program: ir.Program, item: int) -> ir.Plain:
    """Return the procedure that returns the points of each seat for a score item, in the order of the seats."""
    points, seat = range(2)
    turn = (ir.Append(points, ir.CallValue(item, (ir.Local(seat),))),)
    seats = ir.ForRange(seat, ir.Const(0), ir.Const(program.seats - 1), turn)
    name = f"{program.plain[item].name} of all seats"
    empty = ir.SetLocal(points, ir.Const(()))
    return ir.Plain(name, 0, 2, (empty, seats, ir.Return(ir.Local(points))))
