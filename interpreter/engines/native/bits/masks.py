"""Writes LLVM IR that tests a condition for many consecutive numbers at once, with one bit for each number.

A condition on each cell of a board becomes a single comparison of vectors. This module does not
depend on loops.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import walk
from rulewright.interpreter.engines.native.expressions import COMPARED, Writer
from rulewright.interpreter.engines.native.module import GLOBAL
from rulewright.interpreter.engines.native.optimise.ranges import HIGH, LOW

FEWEST: Final = 12
MOST: Final = 64
"""The maximum number of bits in a mask."""


class NoMask(Exception):
    """Raised if a condition can be tested only for one number at a time."""


@define(eq=False)
class Masks:
    """Writes code that tests conditions for consecutive numbers. A local contains the first number."""

    writer: Writer
    slot: int
    count: int
    written: frozenset[int]
    """The locals that may change from one number to the next."""
    strides: int = 1
    """The maximum distance between successive tested cells."""

    def of(self, condition: ir.Expr) -> str:
        """Write code that tests a condition for each number. Return a vector with one bit for each number."""
        f, kind = self.writer.function, f"<{self.count} x i1>"
        match condition:
            case ir.Binary(word, left, right) if word in COMPARED:
                one, other = self._numbers(left), self._numbers(right)
                return f.value(f"icmp {COMPARED[word]} <{self.count} x i32> {one}, {other}")
            case ir.And(left, right) | ir.Or(left, right):
                joining = "and" if isinstance(condition, ir.And) else "or"
                return f.value(f"{joining} {kind} {self.of(left)}, {self.of(right)}")
            case ir.Not(operand):
                return f.value(f"xor {kind} {self.of(operand)}, {self._same('true', 'i1')}")
            case _:  # all others: they are tested one by one
                raise NoMask

    def _numbers(self, e: ir.Expr) -> str:
        """Write code that evaluates an expression for each number. Return the vector of the values."""
        writer, f = self.writer, self.writer.function
        program, kind = writer.module.program, f"<{self.count} x i32>"
        changing = self.written - {self.slot}
        if any(isinstance(part, ir.Local) and part.slot in changing for part in walk(e)):
            raise NoMask
        match e:
            case ir.Load(address, False) if self._is_asked(e):
                low, high = writer.range_of(address)
                steps = self._grows(address)
                inside = low >= 0 and high < (program.far or program.stack)
                if not (inside and 1 <= steps <= self.strides):
                    raise NoMask
                place = writer.number(address).text
                wide = f"<{steps * (self.count - 1) + 1} x i32>"
                cells = f.value(f"load {wide}, ptr {f.at('%S', place)}, align 4{GLOBAL}")
                if steps == 1:
                    return cells
                every = ", ".join(f"i32 {steps * number}" for number in range(self.count))
                those = f"<{self.count} x i32> <{every}>"
                return f.value(f"shufflevector {wide} {cells}, {wide} poison, {those}")
            case ir.Table(table, index) if self._is_asked(e):
                rows = program.tables[table]
                low, high = writer.range_of(index)
                if self._grows(index) != 1 or low < 0 or high >= len(rows):
                    raise NoMask
                if not isinstance(rows[0], int):
                    raise NoMask
                base = writer.module.numbers(writer.module.column(table))
                place = writer.number(index).text
                return f.value(f"load {kind}, ptr {f.at(base, place)}, align 4")
            case _:
                pass
        steps = self._grows(e)
        low, high = writer.range_of(e)
        if low < LOW or high > HIGH or abs(steps) > HIGH // MOST:
            raise NoMask
        first = self._same(f.value(f"trunc i64 {writer.number(e).text} to i32"), "i32")
        if not steps:
            return first
        more = ", ".join(f"i32 {steps * number}" for number in range(self.count))
        return f.value(f"add {kind} {first}, <{more}>")

    def _is_asked(self, e: ir.Expr) -> bool:
        """Return whether an expression depends on the number in the local."""
        return any(isinstance(part, ir.Local) and part.slot == self.slot for part in walk(e))

    def _same(self, value: str, kind: str) -> str:
        f = self.writer.function
        vector = f"<{self.count} x {kind}>"
        one = f.value(f"insertelement {vector} poison, {kind} {value}, i64 0")
        zeros = f"<{self.count} x i32> zeroinitializer"
        return f.value(f"shufflevector {vector} {one}, {vector} poison, {zeros}")

    def _grows(self, e: ir.Expr) -> int:
        """Return by how much the value of an expression grows from one number to the next.

        The values that the expression reads must be the same for all numbers.
        """
        match e:
            case ir.Const(int()):
                return 0
            case ir.Local(slot):
                return int(slot == self.slot)
            case ir.Binary("+", left, right):
                return self._grows(left) + self._grows(right)
            case ir.Binary("-", left, right):
                return self._grows(left) - self._grows(right)
            case ir.Binary("*", ir.Const(int(factor)), other) | ir.Binary(
                "*", other, ir.Const(int(factor))
            ):
                return factor * self._grows(other)
            case ir.Load() | ir.Table() | ir.Binary() if not self._is_asked(e):
                return 0
            case _:
                raise NoMask
