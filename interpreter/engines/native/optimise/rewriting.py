"""Shortens a program before native code is written for it. The effects of the program on cells stay the same.

Procedures that depend only on a few numbers become tables. Items known to be distinct are not
searched for among the earlier items. This module does not depend on LLVM.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Final, TypeVar

from attrs import define, evolve, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import PARTS, Knowledge, replace_parts, walk
from rulewright.interpreter.engines.codegen import python
from rulewright.interpreter.engines.engine import first_state
from rulewright.interpreter.engines.native.optimise.columns import Columns
from rulewright.interpreter.engines.native.optimise.ranges import HIGH, LOW, Range, Ranges, leaves
from rulewright.interpreter.text.faults import InternalError, RuleFault, Value

T = TypeVar("T")

ROWS: Final = 512
"""The maximum number of values of a procedure that becomes a table."""
STEPS: Final = 200_000
"""The maximum number of steps to compute the values of such a table."""


def rewritten(
    program: ir.Program, knowledge: Knowledge, ranges: Ranges, reached: Iterable[int]
) -> ir.Program:
    """Shorten a program. Procedures and their locals keep their numbers."""
    tables = _Tables(program, knowledge, ranges)
    for plain in reached:
        tables.make(plain)
    plains = [evolve(plain, body=tables.within(plain.body)) for plain in program.plain]
    program = evolve(program, tables=(*program.tables, *tables.made), plain=tuple(plains))
    blocks = [
        evolve(block, body=tables.within(block.body), end=tables.within(block.end))
        for block in program.blocks
    ]
    sites = [evolve(site, arguments=tables.within(site.arguments)) for site in program.sites]
    program = evolve(program, blocks=tuple(blocks), sites=tuple(sites))
    columns = Columns(program, ranges)
    plains = [evolve(plain, body=_once(program, plain)) for plain in program.plain]
    for plain in reached:
        body = columns.within(plain, plains[plain].body)
        plains[plain] = evolve(plains[plain], body=body)
    return evolve(program, plain=tuple(plains), tables=(*program.tables, *columns.made))


@define(eq=False)
class _Tables:
    """The tables that replace procedures."""

    program: ir.Program
    knowledge: Knowledge
    ranges: Ranges
    made: list[tuple[object, ...]] = field(factory=list)
    _of: dict[int, tuple[int, tuple[Range, ...]]] = field(factory=dict)
    """For each replaced procedure: its table, and the ranges of its arguments."""
    _spent: int = 0
    _costs: dict[int, int] = field(factory=dict)
    _engine: python.PythonEngine | None = None

    def make(self, plain: int) -> None:
        """Replace a procedure by a table, if that is possible."""
        if not self.knowledge.is_timeless(plain, counts=False):
            return
        procedure = self.program.plain[plain]
        between = tuple(self.ranges.argument(plain, n) for n in range(procedure.parameters))
        rows = prod(high - low + 1 for low, high in between)
        steps = rows * self._cost(plain)
        if rows > ROWS or steps > STEPS - self._spent:
            return
        self._spent += steps
        values: list[object] = []
        for arguments in product(*(range(low, high + 1) for low, high in between)):
            value = self._value(plain, arguments)
            if value is None:
                return
            values.append(value)
        self._of[plain] = len(self.program.tables) + len(self.made), between
        self.made.append(tuple(values))

    def _cost(self, plain: int) -> int:
        """Return the maximum number of steps of a procedure. If the number is unknown, return a
        number above the limit."""
        found = self._costs.get(plain)
        if found is None:
            self._costs[plain] = STEPS + 1  # the value for a procedure that calls itself
            found = self._costs[plain] = self._steps(self.program.plain[plain].body)
        return found

    def _steps(self, nodes: object) -> int:
        match nodes:
            case tuple():
                return sum(map(self._steps, nodes))
            case ir.ForEach(_, of, body):
                return self._steps(of) + self._items(of) * (1 + self._steps(body))
            case ir.ForRange(_, ir.Const(int(low)), ir.Const(int(high)), body):
                return 1 + max(0, high - low + 1) * (1 + self._steps(body))
            case ir.ForRange() | ir.While():
                return STEPS + 1
            case ir.CallValue(callee, arguments) | ir.CallPlain(callee, arguments):
                return 1 + self._cost(callee) + self._steps(arguments)
            case ir.Return(ir.Table() | ir.Const() as of):
                return 1 + self._items(of)
            case _:  # all others: one step, plus those of their parts
                parts = PARTS.get(type(nodes), ())
                return 1 + sum(self._steps(getattr(nodes, name)) for name in parts)

    def _items(self, of: ir.Expr) -> int:
        """Return the maximum number of items of a list."""
        match of:
            case ir.Const(tuple() as items) | ir.MakeList(items):
                return len(items)
            case ir.Table(table, _):
                rows = self.program.tables[table]
                return max((len(row) for row in rows if isinstance(row, tuple)), default=0)
            case ir.CallValue(callee, _):
                return self._cost(callee)  # each item is a step
            case ir.Const():
                return 0
            case _:  # all others: they have too many to count
                return STEPS + 1

    def _value(self, plain: int, arguments: tuple[int, ...]) -> Value | None:
        if self._engine is None:
            self._engine = python.compile(self.program)
        try:
            value = self._engine.value(first_state(self.program), plain, arguments)
        except (RuleFault, InternalError, RecursionError):
            return None
        low, high = leaves(value)
        return value if low > high or (low >= LOW and high <= HIGH) else None

    def within(self, node: T) -> T:
        """Replace calls in a node by tables."""

        def change(part: object) -> object:
            if not isinstance(part, ir.CallValue) or part.procedure not in self._of:
                return None
            table, between = self._of[part.procedure]
            rows = self.made[table - len(self.program.tables)]
            if len(rows) == 1:
                value = rows[0]
                assert isinstance(value, (int, tuple))
                return ir.Const(value)
            index: ir.Expr | None = None
            for argument, (low, high) in zip(part.arguments, between, strict=True):
                place: ir.Expr = self.within(argument)
                if low:
                    place = ir.Binary("-", place, ir.Const(low))
                if index is not None:
                    wide = ir.Binary("*", index, ir.Const(high - low + 1))
                    place = ir.Binary("+", wide, place)
                index = place
            return None if index is None else ir.Table(table, index)

        return replace_parts(node, change)


# ---- distinct items ------------------------------------------------------------------------------


def _once(program: ir.Program, plain: ir.Plain) -> tuple[ir.Stmt, ...]:
    """Rewrite the body of a procedure so that distinct items are not compared with earlier items."""

    def change(part: object) -> object:
        if not isinstance(part, (ir.If, ir.While, ir.ForRange, ir.ForEach)):
            return None
        if isinstance(part, ir.If):
            return evolve(part, then=statements(part.then), otherwise=statements(part.otherwise))
        return evolve(part, body=statements(part.body))

    def statements(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        found: list[ir.Stmt] = []
        for statement in body:
            shorter = _shorter(program, plain, found[-1], statement) if found else None
            if shorter is not None:
                found.pop()
            found.append(statement if shorter is None else shorter)
        return tuple(replace_parts(statement, change) for statement in found)

    if not any(isinstance(node, ir.Has) for node in walk(plain.body)):
        return plain.body
    return statements(plain.body)


def _shorter(
    program: ir.Program, plain: ir.Plain, before: ir.Stmt, loop: ir.Stmt
) -> ir.Stmt | None:
    match before, loop:
        case (
            ir.SetLocal(listed, ir.MakeList(()) | ir.Const(())),
            ir.ForEach(
                slot,
                of,
                (
                    ir.If(
                        ir.Not(ir.Has(ir.Local(asked), ir.Local(item))),
                        (ir.Append(grown, ir.Local(added)), *rest),
                        (),
                    ),
                ),
            ),
        ) if listed == asked == grown and slot == item == added and _differ(program, of):
            uses = [node for node in walk(plain.body) if getattr(node, "slot", None) == listed]
            here = [node for node in walk((before, loop)) if getattr(node, "slot", None) == listed]
            again = any(
                getattr(node, "slot", None) == slot and not isinstance(node, ir.Local)
                for node in walk(tuple(rest))
            )
            if len(uses) == len(here) == 3 and not again:
                return evolve(loop, body=tuple(rest))
        case _:
            pass
    return None


def _differ(program: ir.Program, of: ir.Expr) -> bool:
    """Return whether the items of a list are known to be different numbers."""
    match of:
        case ir.Const(value):
            return _all_differ(value)
        case ir.Table(table, _):
            return all(map(_all_differ, program.tables[table]))
        case ir.CallValue(callee, _):
            return _gives_different(program, program.plain[callee].body)
        case _:  # all others: they may be equal
            return False


def _gives_different(program: ir.Program, body: tuple[ir.Stmt, ...]) -> bool:
    match body:
        case (ir.Return(ir.CallValue() as call),):
            return _differ(program, call)
        case (
            ir.SetLocal(listed, ir.MakeList(()) | ir.Const(())),
            ir.ForEach(slot, of, (ir.If(_, (ir.Append(grown, ir.Local(item)),), ()),)),
            ir.Return(ir.Local(given)),
        ):
            return listed == grown == given and slot == item and _differ(program, of)
        case _:
            return False


def _all_differ(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and all(isinstance(item, int) for item in value)
        and len(set(value)) == len(value)
    )
