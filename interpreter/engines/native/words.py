"""LLVM IR for conditions on up to 64 numbers at once, as a word with a bit for each of them.

What is asked of the numbers themselves is asked by vectors. What is asked of others to which each of
them leads by a table (the cell beside it, the first along a line of which something holds) is asked
of all numbers, and the bits are moved. Refuses to know loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from attrs import define, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.knowledge import changed, walk, with_arguments
from rulewright.interpreter.engines.native.expressions import COMPARED, Variable, Writer, compared
from rulewright.interpreter.engines.native.masks import MOST, Masks, NoMask
from rulewright.interpreter.engines.reference import OPERATORS

THERE: Final = -2
"""A local that no procedure has: a number that others lead to."""
WAYS: Final = 8
"""By how many different steps bits may be moved, and of how many things it is asked whether one fits."""
DEAREST: Final = 1000
"""How many instructions on words are worth it."""
MIRRORED: Final[dict[str, ir.BinaryWord]] = {
    "==": "==",
    "!=": "!=",
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
}
NOTHING: Final = "0"


class Steps(NamedTuple):
    """To what each number leads: by how much the bits of what is there are moved, and which of them are kept."""

    moves: tuple[tuple[int, int], ...]

    @property
    def lead(self) -> int:
        """The bits of those numbers that lead to another."""
        bits = 0
        for _, kept in self.moves:
            bits |= kept
        return bits


class Line(NamedTuple):
    """Numbers one after the other, from each one on: the next of each, how many there are, what ends them."""

    steps: Steps
    longest: int
    ends: ir.Expr


@define(eq=False)
class Words:
    """Conditions on numbers one after the other, the first of which is in a local."""

    writer: Writer
    slot: int
    low: int
    count: int
    written: frozenset[int]
    """Locals that may change from one number to the next."""
    _there: dict[ir.Expr, str] = field(factory=dict)
    """The word of each condition on numbers that others lead to."""
    _dear: int = 0

    @property
    def all(self) -> str:
        """The word with all bits."""
        return _text(2**self.count - 1)

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Have a local for numbers that others lead to."""
        writer, f = self.writer, self.writer.function
        known = writer.known
        writer.variables[THERE] = Variable(f.variable("i32"))
        writer.note(THERE, (self.low, self.low + self.count - 1))
        f.store("i32", str(self.low), writer.variables[THERE].value)
        yield
        writer.known = known
        del writer.variables[THERE]

    def of(self, condition: ir.Expr) -> str:
        """The word of a condition."""
        f = self.writer.function
        fixed = self._fixed(condition)
        if fixed is not None:
            return _text(fixed)
        match condition:
            case ir.Binary(word, left, right) if word in COMPARED and _is_quiet(condition):
                known = compared(word, *(self.writer.range_of(side) for side in (left, right)))
                if known is not None:
                    return self.all if known else NOTHING
            case _:
                pass
        before = f.mark()
        try:
            return self._word(self.slot, condition)
        except NoMask:
            f.back_to(before)
        match condition:
            case ir.And(left, right):
                return self._do("and", self.of(left), self.of(right))
            case ir.Or(left, right):
                return self._do("or", self.of(left), self.of(right))
            case ir.Not(operand):
                return self._not(self.of(operand))
            case ir.Binary(word, left, right) if word in COMPARED:
                if self._leads(right) or isinstance(right, ir.Choice):
                    return self._compared(MIRRORED[word], right, left)
                return self._compared(word, left, right)
            case ir.CallValue(callee, arguments):
                return self._any(self.writer.module.program.plain[callee], arguments)
            case ir.Load() | ir.Table() | ir.Choice():
                return self.of(ir.Binary("!=", condition, ir.Const(0)))
            case _:
                raise NoMask

    # ---- words -----------------------------------------------------------------------------------

    def _word(self, slot: int, condition: ir.Expr) -> str:
        """The word of a condition on the number in a local, by vectors."""
        f, count = self.writer.function, self.count
        masks = Masks(self.writer, slot, count, self.written | {slot})
        word = f.value(f"bitcast <{count} x i1> {masks.of(condition)} to i{count}")
        return f.value(f"zext i{count} {word} to i64") if count < MOST else word

    def _do(self, operator: str, one: str, other: str) -> str:
        none, whole = (NOTHING, self.all) if operator == "and" else (self.all, NOTHING)
        if none in (one, other):
            return none
        if whole in (one, other):
            return other if one == whole else one
        self._dear += 1
        if self._dear > DEAREST:
            raise NoMask
        return self.writer.function.value(f"{operator} i64 {one}, {other}")

    def _not(self, word: str) -> str:
        if word in (NOTHING, self.all):
            return self.all if word == NOTHING else NOTHING
        return self.writer.function.value(f"xor i64 {word}, {self.all}")

    def _moved(self, steps: Steps, word: str) -> str:
        """For each number the bit of what it leads to; of those that lead to nothing 0."""
        f, found = self.writer.function, NOTHING
        if word == self.all:
            return _text(steps.lead)
        for by, kept in steps.moves if word != NOTHING else ():
            bits = word
            if by:
                bits = f.value(f"{'lshr' if by > 0 else 'shl'} i64 {word}, {abs(by)}")
            found = self._do("or", found, self._do("and", bits, _text(kept)))
        return found

    # ---- conditions on what numbers lead to ------------------------------------------------------

    def _compared(self, word: ir.BinaryWord, left: ir.Expr, right: ir.Expr) -> str:
        match left:
            case ir.Choice(ir.Binary("<", to, ir.Const(0)), outside, there) if self._leads(to):
                pass
            case ir.Choice(condition, then, otherwise):
                asked = self.of(condition)
                yes = self._do("and", asked, self.of(ir.Binary(word, then, right)))
                no = self._do("and", self._not(asked), self.of(ir.Binary(word, otherwise, right)))
                return self._do("or", yes, no)
            case _ if self._leads(left) and right == ir.Const(0) and word in ("<", ">="):
                leads = self._through(left, self.all)
                return leads if word == ">=" else self._not(leads)
            case _:
                raise NoMask

        def change(part: object) -> object:
            return ir.Local(THERE) if part == to else None

        found = self._through(to, self._of_there(ir.Binary(word, changed(there, change), right)))
        else_ = self.of(ir.Binary(word, outside, right))
        if else_ == NOTHING:
            return found
        return self._do("or", found, self._do("and", else_, self._not(self._through(to, self.all))))

    def _of_there(self, condition: ir.Expr) -> str:
        """The word of a condition on the numbers that others lead to."""
        condition = self.writer.module.knowledge.expanded(condition)
        if any(part == ir.Local(self.slot) for part in walk(condition)):
            raise NoMask
        found = self._there.get(condition)
        if found is None:
            found = self._there[condition] = self._word(THERE, condition)
        return found

    def _leads(self, e: ir.Expr) -> bool:
        match e:
            case ir.Table():
                return True
            case ir.CallValue(callee, _):
                return _first(self.writer.module.program.plain[callee]) is not None
            case _:
                return False

    def _through(self, to: ir.Expr, word: str) -> str:
        """For each number the bit of what it leads to."""
        match to:
            case ir.Table(table, index):
                rows = self._rows(table, index)
                each = [() if isinstance(row, int) and row < 0 else (row,) for row in rows]
                return self._moved(self._steps(each), word)
            case ir.CallValue(callee, arguments):
                line = self._line(self.writer.module.program.plain[callee], arguments)
            case _:
                raise NoMask
        # What is found from a number on is found at the next one, or from there on.
        end = self._of_there(line.ends)
        here, on = self._do("and", end, word), self._not(end)
        found = NOTHING
        for _ in range(line.longest):
            found = self._moved(line.steps, self._do("or", here, self._do("and", on, found)))
        return found

    def _any(self, procedure: ir.Plain, arguments: tuple[ir.Expr, ...]) -> str:
        """Whether there is something in a list of which a condition holds."""
        expanded = self.writer.module.knowledge.expanded
        match procedure.body:
            case (ir.Return(value),) if value is not None:
                return self.of(expanded(with_arguments(value, arguments)))
            case (
                ir.ForEach(slot, of, (ir.If(condition, (ir.Return(ir.Const(int(yes))),), ()),)),
                ir.Return(ir.Const(int(no))),
            ) if slot >= procedure.parameters and bool(yes) != bool(no):
                pass
            case _:
                raise NoMask
        found = NOTHING
        match of:
            case ir.Const(tuple() as items) if len(items) <= WAYS:
                for item in items:
                    if not isinstance(item, int):
                        raise NoMask
                    one = _with(condition, slot, ir.Const(item), arguments)
                    found = self._do("or", found, self.of(expanded(one)))
            case ir.Table(table, index):
                rows = self._rows(table, _with(index, slot, ir.Const(0), arguments))
                there = _with(condition, slot, ir.Local(THERE), arguments)
                found = self._moved(self._steps(rows), self._of_there(there))
            case _:
                raise NoMask
        return found if yes else self._not(found)

    # ---- tables ----------------------------------------------------------------------------------

    def _rows(self, table: int, index: ir.Expr) -> list[object]:
        """The row of each number."""
        rows = self.writer.module.program.tables[table]
        found: list[object] = []
        for number in range(self.low, self.low + self.count):
            place = self._value(index, number)
            if place is None or not 0 <= place < len(rows):
                raise NoMask
            found.append(rows[place])
        return found

    def _steps(self, rows: Sequence[object]) -> Steps:
        """How bits are moved, so that each number has those of its row."""
        moves: dict[int, int] = {}
        for place, row in enumerate(rows):
            for number in row if isinstance(row, tuple) else (None,):
                if not isinstance(number, int):
                    raise NoMask
                there = number - self.low
                if not 0 <= there < self.count:
                    raise NoMask
                moves[there - place] = moves.get(there - place, 0) | 1 << place
        if len(moves) > WAYS:
            raise NoMask
        return Steps(tuple(sorted(moves.items())))

    def _line(self, procedure: ir.Plain, arguments: tuple[ir.Expr, ...]) -> Line:
        """What is looked through for the first, if each list is its first item and the list of that one."""
        match _first(procedure):
            case (slot, table, index, condition):
                pass
            case _:
                raise NoMask
        rows = self._rows(table, _with(index, slot, ir.Const(0), arguments))
        for row in rows:
            if not isinstance(row, tuple):
                raise NoMask
            if row and not (isinstance(row[0], int) and 0 <= row[0] - self.low < self.count):
                raise NoMask
            if row and rows[row[0] - self.low] != row[1:]:
                raise NoMask
        lists = [row for row in rows if isinstance(row, tuple)]
        ends = _with(condition, slot, ir.Local(THERE), arguments)
        return Line(self._steps([row[:1] for row in lists]), max(map(len, lists), default=0), ends)

    # ---- what is known of a number ---------------------------------------------------------------

    def _fixed(self, condition: ir.Expr) -> int | None:
        """The word of a condition that depends on the number and nothing else."""
        word = 0
        for place in range(self.count):
            value = self._value(condition, self.low + place)
            if value is None:
                return None
            word |= bool(value) << place
        return word

    def _value(self, e: ir.Expr, number: int) -> int | None:
        """What an expression is for a number, if it depends on nothing else."""
        match e:
            case ir.Const(int(value)):
                return value
            case ir.Local(slot):
                return number if slot == self.slot else None
            case ir.Table(table, index):
                rows, place = self.writer.module.program.tables[table], self._value(index, number)
                if place is None or not 0 <= place < len(rows):
                    return None
                row = rows[place]
                return row if isinstance(row, int) else None
            case ir.Binary(word, left, right):
                one, other = self._value(left, number), self._value(right, number)
                if one is None or other is None or (word in ("//", "%") and not other):
                    return None
                return int(OPERATORS[word](one, other))
            case _:
                return None


def _text(word: int) -> str:
    """A word as a number with a sign."""
    return str(word - 2**64 if word >= 2**63 else word)


def _is_quiet(e: ir.Expr) -> bool:
    """Whether it can be left out to work an expression out."""
    return not any(
        not isinstance(part, (ir.Const, ir.Local, ir.Binary))
        or (isinstance(part, ir.Binary) and part.operator in ("//", "%"))
        for part in walk(e)
    )


def _first(procedure: ir.Plain) -> tuple[int, int, ir.Expr, ir.Expr] | None:
    """The local, table, row and condition of a procedure that gives the first in a row of which it holds."""
    match procedure.body:
        case (
            ir.ForEach(
                slot, ir.Table(table, index), (ir.If(condition, (ir.Return(ir.Local(item)),), ()),)
            ),
            ir.Return(ir.Const(-1)),
        ) if slot == item >= procedure.parameters:
            return slot, table, index, condition
        case _:
            return None


def _with(e: ir.Expr, slot: int, item: ir.Expr, arguments: tuple[ir.Expr, ...]) -> ir.Expr:
    """An expression of a procedure with arguments, and with something for one of its locals; others are 0."""

    def change(part: object) -> object:
        if not isinstance(part, ir.Local):
            return None
        if part.slot == slot:
            return item
        return arguments[part.slot] if part.slot < len(arguments) else ir.Const(0)

    return changed(e, change)
