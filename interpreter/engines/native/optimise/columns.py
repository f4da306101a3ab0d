"""Shortens loops over fixed lists of things, if the body uses only the things with a certain value in a column.

If a `ForEach` uses only the things whose column equals a computed number, the things are grouped by
the column in advance. The loop then visits only one group. This module does not depend on LLVM.
"""

from __future__ import annotations

from typing import Final

from attrs import define, evolve, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import replace_parts, slots, walk
from rulewright.interpreter.engines.native.optimise.ranges import Ranges
from rulewright.interpreter.engines.reference import OPERATORS

ROWS: Final = 1024
"""The maximum number of groups into which a list is divided."""


@define(eq=False)
class Columns:
    """Shortens loops. The groups of the things become new tables."""

    program: ir.Program
    ranges: Ranges
    made: list[tuple[object, ...]] = field(factory=list)
    _known: dict[tuple[object, ...], int] = field(factory=dict)

    def within(self, plain: int, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        """Return a body with shorter loops."""

        def change(part: object) -> object:
            if not isinstance(part, ir.ForEach):
                return None
            while (shorter := self._shorter(plain, part)) is not None:
                part = shorter
            return evolve(part, body=replace_parts(part.body, change))

        return replace_parts(body, change)

    def _shorter(self, plain: int, loop: ir.ForEach) -> ir.ForEach | None:
        """If the first condition of a loop excludes items, return the loop without these items, otherwise None."""
        match loop:
            case ir.ForEach(slot, ir.Const(tuple() as items), (ir.If(condition, then, ()),)):
                pass
            case _:
                return None
        if slot in slots(walk(then))[1]:
            return None
        numbers = [item for item in items if isinstance(item, int)]
        first, rest = split_first(condition)
        if len(numbers) < len(items) or not numbers:
            return None
        body = (ir.If(rest, then),) if rest is not None else then
        values = [self._evaluate(first, slot, number) for number in numbers]
        if None not in values:
            kept = tuple(n for n, value in zip(numbers, values, strict=True) if value)
            return evolve(loop, of=ir.Const(kept), body=body)
        match first:
            case ir.Binary("==", left, right):
                pass
            case _:
                return None
        for one, other in ((left, right), (right, left)):
            column = [self._evaluate(one, slot, number) for number in numbers]
            if None not in column and self._stays(other, slot, loop.body):
                fitting = [(n, c) for n, c in zip(numbers, column, strict=True) if c is not None]
                of = self._by_column(plain, fitting, other)
                return None if of is None else evolve(loop, of=of, body=body)
        return None

    def _by_column(
        self, plain: int, fitting: list[tuple[int, int]], wanted: ir.Expr
    ) -> ir.Expr | None:
        local = {part.slot for part in walk(wanted) if isinstance(part, ir.Local)}
        known = {slot: self.ranges.local(plain, slot) for slot in local}
        low, high = self.ranges.range_of(wanted, known, 0)
        first, last = min(c for _, c in fitting), max(c for _, c in fitting)
        if last - first >= ROWS:
            return None
        surely = high - low < ROWS
        first, last = (low, high) if surely else (first, last)
        rows = [tuple(n for n, c in fitting if c == value) for value in range(first, last + 1)]
        if surely:
            index: ir.Expr = ir.Binary("-", wanted, ir.Const(first)) if first else wanted
        else:
            rows.insert(0, ())
            inside = ir.And(
                ir.Binary("<=", ir.Const(first), wanted), ir.Binary("<=", wanted, ir.Const(last))
            )
            place = ir.Binary("-", wanted, ir.Const(first - 1))
            index = ir.Choice(inside, place, ir.Const(0))
        if not any(rows):
            return None
        return ir.Table(self._table(tuple(rows)), index)

    def _table(self, rows: tuple[object, ...]) -> int:
        found = self._known.get(rows)
        if found is None:
            found = self._known[rows] = len(self.program.tables) + len(self.made)
            self.made.append(rows)
        return found

    def _evaluate(self, e: ir.Expr, slot: int, number: int) -> int | None:
        """Evaluate an expression with `number` as the value of a local. If the expression depends
        on anything else, return None."""
        match e:
            case ir.Const(int(value)):
                return value
            case ir.Local(here):
                return number if here == slot else None
            case ir.Table(table, index):
                place = self._evaluate(index, slot, number)
                rows = self.program.tables[table] if table < len(self.program.tables) else ()
                if place is None or not 0 <= place < len(rows):
                    return None
                row = rows[place]
                return row if isinstance(row, int) else None
            case ir.Binary(word, left, right):
                one, other = (self._evaluate(part, slot, number) for part in (left, right))
                if one is None or other is None or (word in ("//", "%") and not other):
                    return None
                return int(OPERATORS[word](one, other))
            case ir.Not(operand):
                inner = self._evaluate(operand, slot, number)
                return None if inner is None else int(not inner)
            case ir.And(left, right) | ir.Or(left, right):
                first = self._evaluate(left, slot, number)
                if first is not None and bool(first) != isinstance(e, ir.And):
                    return int(bool(first))
                second = None if first is None else self._evaluate(right, slot, number)
                return None if second is None else int(bool(second))
            case _:  # all others: they are not known in advance
                return None

    def _stays(self, e: ir.Expr, slot: int, body: tuple[ir.Stmt, ...]) -> bool:
        """Return whether an expression has the same value in all iterations, and can be computed once."""
        written = slots(walk(body))[1]
        for part in walk(e):
            match part:
                case ir.Const() | ir.Binary("+" | "-" | "*"):
                    pass
                case ir.Local(here) if here != slot and here not in written:
                    pass
                case _:
                    return False
        return True


def split_first(condition: ir.Expr) -> tuple[ir.Expr, ir.Expr | None]:
    """Split a condition into its first part and the rest."""
    if not isinstance(condition, ir.And):
        return condition, None
    first, rest = split_first(condition.left)
    return first, condition.right if rest is None else ir.And(rest, condition.right)
