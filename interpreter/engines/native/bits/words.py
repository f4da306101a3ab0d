"""Writes LLVM IR that tests a condition for up to 64 numbers at once. The result is a bit mask with
one bit for each number.

Conditions on the numbers themselves use vectors. A condition may also concern the target of each
number, such as the neighbouring cell or the first match along a line. The code tests such a
condition for all possible targets, and then moves each bit from the target to the number. This
module does not depend on loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from attrs import define, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import replace_parts, walk, with_arguments
from rulewright.interpreter.engines.native.bits.masks import MOST, Masks, NoMask
from rulewright.interpreter.engines.native.expressions import (
    COMPARED,
    Listed,
    Variable,
    Writer,
    known_comparison,
)
from rulewright.interpreter.engines.native.llvm_text import as_signed
from rulewright.interpreter.engines.native.representation import LIST
from rulewright.interpreter.engines.reference import OPERATORS

THERE: Final = -2
"""A local that no procedure has: the target of other numbers."""
ITEM: Final = -3
"""A local that no procedure has: the current item of a list."""
MOST_CELLS: Final = 128
"""The maximum number of cells that a vector covers if the tested cells are not adjacent."""
WIDEST: Final = 512
"""The maximum number of bit masks in a table for membership in rows."""
WAYS: Final = 8
"""The maximum number of different shifts in a map, and of items in a constant list that is searched."""
DEAREST: Final = 1000
"""The maximum number of instructions on bit masks. With more instructions, testing all numbers at
once saves no time."""
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
    """A map from numbers to their targets, as shifts of a bit mask. Each shift comes with the mask
    of the bits to keep after it."""

    moves: tuple[tuple[int, int], ...]

    @property
    def lead(self) -> int:
        """Return the bit mask of the numbers that have a target."""
        bits = 0
        for _, kept in self.moves:
            bits |= kept
        return bits


class Line(NamedTuple):
    """For each number, the sequence of numbers that starts there.

    `steps` maps each number to its successor. `longest` is the maximum length of a sequence, and
    `ends` the condition that ends it.
    """

    steps: Steps
    longest: int
    ends: ir.Expr


@define(eq=False)
class Words:
    """Writes code that tests conditions for consecutive numbers. A local contains the first number."""

    writer: Writer
    slot: int
    low: int
    count: int
    written: frozenset[int]
    """The locals that may change from one number to the next."""
    _there: dict[ir.Expr, str] = field(factory=dict)
    """The bit mask of each condition on target numbers that was tested."""
    _dear: int = 0

    @property
    def all(self) -> str:
        """Return the bit mask with all bits set."""
        return _text(2**self.count - 1)

    @contextmanager
    def targets(self) -> Iterator[None]:
        """Add a local for the target numbers within the `with` block."""
        writer, f = self.writer, self.writer.function
        known = writer.known
        writer.variables[THERE] = Variable(f.variable("i32"))
        writer.note(THERE, (self.low, self.low + self.count - 1))
        f.store("i32", str(self.low), writer.variables[THERE].value)
        yield
        writer.known = known
        del writer.variables[THERE]

    def of(self, condition: ir.Expr) -> str:
        """Return the bit mask of the numbers for which a condition is true."""
        f = self.writer.function
        fixed = self._fixed_mask(condition)
        if fixed is not None:
            return _text(fixed)
        match condition:
            case ir.Binary(word, left, right) if word in COMPARED and _is_quiet(condition):
                known = known_comparison(
                    word, *(self.writer.range_of(side) for side in (left, right))
                )
                if known is not None:
                    return self.all if known else NOTHING
            case _:
                pass
        if self._stays(condition):
            test = self.writer.condition(condition)
            return f.value(f"select i1 {test}, i64 {self.all}, i64 0")
        before = f.mark(), self.writer.exits
        try:
            return self._word(self.slot, condition)
        except NoMask:
            f.back_to(before[0])
            self.writer.exits = before[1]
        match condition:
            case ir.And(left, right):
                return self._do("and", self.of(left), self.of(right))
            case ir.Or(left, right):
                return self._do("or", self.of(left), self.of(right))
            case ir.Not(operand):
                return self._not(self.of(operand))
            case ir.Binary(word, left, right) if word in COMPARED:
                if self._leads(right) or isinstance(right, ir.Choice):
                    return self._comparison(MIRRORED[word], right, left)
                return self._comparison(word, left, right)
            case ir.CallValue(callee, arguments):
                return self._any(self.writer.module.program.plain[callee], arguments)
            case ir.Has(ir.Table(table, index), item) if not self._is_asked(item):
                return self._members(self._rows(table, index), item)
            case ir.Has(ir.Table(table, index), ir.Local(slot)) if slot == self.slot:
                return self._row(table, index)
            case ir.Has(ir.Local(slot), item):
                return self._of_items(slot, ir.Binary("==", ir.Local(ITEM), item))
            case ir.Load() | ir.Table() | ir.Choice():
                return self.of(ir.Binary("!=", condition, ir.Const(0)))
            case _:  # all others: they are tested one by one
                raise NoMask

    # ---- words -----------------------------------------------------------------------------------

    def _word(self, slot: int, condition: ir.Expr) -> str:
        """Return the bit mask of a condition on the number in a local, computed with vectors."""
        f, count = self.writer.function, self.count
        masks = Masks(self.writer, slot, count, self.written | {slot}, MOST_CELLS // count)
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

    def _move_bits(self, steps: Steps, word: str) -> str:
        """Move the bit of each number's target to the number. A number without a target gets 0."""
        f, found = self.writer.function, NOTHING
        if word == self.all:
            return _text(steps.lead)
        for by, kept in steps.moves if word != NOTHING else ():
            bits = word
            if by:
                bits = f.value(f"{'lshr' if by > 0 else 'shl'} i64 {word}, {abs(by)}")
            found = self._do("or", found, self._do("and", bits, _text(kept)))
        return found

    # ---- conditions on targets -------------------------------------------------------------------

    def _comparison(self, word: ir.BinaryWord, left: ir.Expr, right: ir.Expr) -> str:
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

        found = self._through(
            to, self._of_there(ir.Binary(word, replace_parts(there, change), right))
        )
        else_ = self.of(ir.Binary(word, outside, right))
        if else_ == NOTHING:
            return found
        return self._do("or", found, self._do("and", else_, self._not(self._through(to, self.all))))

    def _of_there(self, condition: ir.Expr) -> str:
        """Return the bit mask of the target numbers for which a condition is true."""
        condition = self.writer.module.knowledge.inline_calls(condition)
        if any(part == ir.Local(self.slot) for part in walk(condition)):
            raise NoMask
        found = self._there.get(condition)
        if found is None:
            written = self.written | {THERE}
            there = Words(self.writer, THERE, self.low, self.count, written)
            found = self._there[condition] = there.of(condition)
        return found

    def _leads(self, e: ir.Expr) -> bool:
        match e:
            case ir.Table():
                return True
            case ir.CallValue(callee, _):
                return _first(self.writer.module.program.plain[callee]) is not None
            case _:  # all others: they are tested one by one
                return False

    def _through(self, to: ir.Expr, word: str) -> str:
        """Move the bit of each number's target to the number. The target is the value of the expression `to`."""
        match to:
            case ir.Table(table, index):
                rows = self._rows(table, index)
                each = [() if isinstance(row, int) and row < 0 else (row,) for row in rows]
                return self._move_bits(self._steps(each), word)
            case ir.CallValue(callee, arguments):
                line = self._line(self.writer.module.program.plain[callee], arguments)
            case _:  # all others: they are tested one by one
                raise NoMask
        # If the successor of a number matches, it is the first match after the number. Otherwise
        # the first match is the one after the successor.
        end = self._of_there(line.ends)
        here, on = self._do("and", end, word), self._not(end)
        found = NOTHING
        for _ in range(line.longest):
            found = self._move_bits(line.steps, self._do("or", here, self._do("and", on, found)))
        return found

    def _any(self, procedure: ir.Plain, arguments: tuple[ir.Expr, ...]) -> str:
        """Return the bit mask of the numbers for which a search procedure returns true.

        The procedure must return a condition, or search a list for an item that meets a condition.
        """
        expanded = self.writer.module.knowledge.inline_calls
        match procedure.body:
            case (ir.Return(value),) if value is not None:
                return self.of(expanded(with_arguments(value, arguments)))
            case (ir.ForEach(slot, of, (ir.If() as asked,)), ir.Return(ir.Const(int(no)))):
                condition, yes = _answer(asked)
                if slot < procedure.parameters or bool(yes) == bool(no):
                    raise NoMask
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
                found = self._move_bits(self._steps(rows), self._of_there(there))
            case ir.Local(given) if given < procedure.parameters:
                match arguments[given]:
                    case ir.Local(listed):
                        one = _with(condition, slot, ir.Local(ITEM), arguments)
                        found = self._of_items(listed, expanded(one))
                    case _:
                        raise NoMask
            case _:
                raise NoMask
        return found if yes else self._not(found)

    def _of_items(self, slot: int, condition: ir.Expr) -> str:
        """Return the bit mask of the numbers for which a condition is true for any item of the list in a local.

        The code loops over the list.
        """
        writer, f = self.writer, self.writer.function
        variable = writer.variables.get(slot)
        inside = ITEM in writer.variables  # the item of another list
        if variable is None or not variable.length or slot in self.written or inside:
            raise NoMask
        listed = writer.list_value(ir.Local(slot))
        if listed.kind != LIST:
            raise NoMask
        found = f.variable("i64")
        f.store("i64", NOTHING, found)
        with f.count(listed.length) as place, self._item(listed) as item:
            f.store("i32", f.load("i32", f.at(listed.items, place)), item.value)
            word = self.of(condition)
            f.store("i64", f.value(f"or i64 {f.load('i64', found)}, {word}"), found)
        return f.load("i64", found)

    @contextmanager
    def _item(self, listed: Listed) -> Iterator[Variable]:
        """Add a local for an item of a list within the `with` block. Facts learnt in the block are dropped after it."""
        writer, there = self.writer, dict(self._there)
        known = writer.known
        item = writer.variables[ITEM] = Variable(writer.function.variable("i32"))
        writer.note(ITEM, (listed.low, listed.high))
        try:
            yield item
        finally:
            self._there, writer.known = there, known
            del writer.variables[ITEM]

    def _members(self, rows: list[object], item: ir.Expr) -> str:
        """Return the bit mask of the rows that contain a number."""
        writer, f = self.writer, self.writer.function
        words: dict[int, int] = {}
        for place, row in enumerate(rows):
            for number in row if isinstance(row, tuple) else (None,):
                if not isinstance(number, int):
                    raise NoMask
                words[number] = words.get(number, 0) | 1 << place
        if not words:
            return NOTHING
        low, high = min(words), max(words)
        if high - low >= WIDEST:
            raise NoMask
        name = writer.module.wide(
            tuple(as_signed(words.get(number, 0)) for number in range(low, high + 1))
        )
        there = f.value(f"sub i64 {writer.number(item).text}, {low}")
        inside = f.value(f"icmp ule i64 {there}, {high - low}")
        first = f.value(f"select i1 {inside}, i64 {there}, i64 0")
        return f.value(f"select i1 {inside}, i64 {f.load('i64', f.at(name, first, 'i64'))}, i64 0")

    def _row(self, table: int, index: ir.Expr) -> str:
        """Return the bit mask of the numbers that are in a row."""
        writer, f = self.writer, self.writer.function
        rows = writer.module.program.tables[table]
        if self._is_asked(index) or not self._stays(index) or len(rows) > WIDEST:
            raise NoMask
        words: list[int] = []
        for row in rows:
            word = 0
            for number in row if isinstance(row, tuple) else (None,):
                if not isinstance(number, int):
                    raise NoMask
                there = number - self.low
                word |= 1 << there if 0 <= there < self.count else 0
            words.append(as_signed(word))
        place = writer.number(index).text
        inside = f.value(f"icmp ult i64 {place}, {len(rows)}")
        first = f.value(f"select i1 {inside}, i64 {place}, i64 0")
        known = f.load("i64", f.at(writer.module.wide(tuple(words)), first, "i64"))
        return f.value(f"select i1 {inside}, i64 {known}, i64 0")

    def _is_asked(self, e: ir.Expr) -> bool:
        """Return whether an expression depends on the numbers."""
        return any(isinstance(part, ir.Local) and part.slot in self.written for part in walk(e))

    def _stays(self, condition: ir.Expr) -> bool:
        """Return whether a condition is the same for all numbers, and needs no call."""
        return not self._is_asked(condition) and not any(
            isinstance(part, (ir.CallValue, ir.Possible))
            or (isinstance(part, ir.Local) and part.slot == THERE)
            for part in walk(condition)
        )

    # ---- tables ----------------------------------------------------------------------------------

    def _rows(self, table: int, index: ir.Expr) -> list[object]:
        """Return the row of a table for each number, given the expression for its index."""
        rows = self.writer.module.program.tables[table]
        found: list[object] = []
        for number in range(self.low, self.low + self.count):
            place = self._value(index, number)
            if place is None or not 0 <= place < len(rows):
                raise NoMask
            found.append(rows[place])
        return found

    def _steps(self, rows: Sequence[object]) -> Steps:
        """Return the shifts that bring the bits of the numbers in each row to the number of the row."""
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
        """Return the lines that a procedure searches for the first match.

        If the row of a number begins with an item, the rest of the row must be equal to the row of
        that item.
        """
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

    # ---- known values of a number ----------------------------------------------------------------

    def _fixed_mask(self, condition: ir.Expr) -> int | None:
        """If a condition depends only on the number, return its bit mask, otherwise None."""
        word = 0
        for place in range(self.count):
            value = self._value(condition, self.low + place)
            if value is None:
                return None
            word |= bool(value) << place
        return word

    def _value(self, e: ir.Expr, number: int) -> int | None:
        """Evaluate an expression for a number, or return None if it depends on anything else."""
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
            case _:  # all others: they are not known in advance
                return None


def _text(word: int) -> str:
    """Return the text of a bit mask as a signed number."""
    return str(as_signed(word))


def _answer(asked: ir.If) -> tuple[ir.Expr, int]:
    """Return the condition under which the body of a loop returns, and the number that it returns."""
    match asked:
        case ir.If(condition, (ir.Return(ir.Const(int(given))),), ()):
            return condition, given
        case ir.If(condition, (ir.If() as inner,), ()):
            more, given = _answer(inner)
            return ir.And(condition, more), given
        case _:
            raise NoMask


def _is_quiet(e: ir.Expr) -> bool:
    """Return whether an expression contains only numbers, locals and operators that cannot fail."""
    return not any(
        not isinstance(part, (ir.Const, ir.Local, ir.Binary))
        or (isinstance(part, ir.Binary) and part.operator in ("//", "%"))
        for part in walk(e)
    )


def _first(procedure: ir.Plain) -> tuple[int, int, ir.Expr, ir.Expr] | None:
    """If a procedure finds the first matching item of a row, return its local, table, index and
    condition, otherwise None."""
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
    """Replace the parameters in an expression of a procedure by arguments, and the local `slot` by
    `item`. Other locals become 0."""

    def change(part: object) -> object:
        if not isinstance(part, ir.Local):
            return None
        if part.slot == slot:
            return item
        return arguments[part.slot] if part.slot < len(arguments) else ir.Const(0)

    return replace_parts(e, change)
