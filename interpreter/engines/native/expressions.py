"""Writes LLVM IR for the expressions of the core IR.

A number is computed in 64 bits, and its bounds are known. A list is represented by the address and
the count of its items. This module does not depend on statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, assert_never

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import FRAME
from rulewright.interpreter.engines.native.llvm_text import UNLIKELY, Function
from rulewright.interpreter.engines.native.module import (
    FAILED,
    GIVEN_UP,
    GLOBAL,
    IMPOSSIBLE,
    LOCAL,
    PAIR,
    WIDEST,
    Module,
    stride,
)
from rulewright.interpreter.engines.native.optimise.ranges import (
    ANY,
    EMPTY,
    HIGH,
    LOW,
    ZERO,
    Known,
    Range,
    arithmetic,
    leaves,
    refine,
)
from rulewright.interpreter.engines.native.representation import LIST, NUMBER
from rulewright.interpreter.engines.reference import OPERATORS

COMPARED = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul"}
FEW = 8
"""The maximum length of a constant list whose numbers are compared one by one."""


class Num(NamedTuple):
    """The code for a number of 64 bits, and the bounds of the number."""

    text: str
    low: int
    high: int

    @property
    def const(self) -> int | None:
        """Return the value of the number if it is known, otherwise None."""
        return self.low if self.low == self.high else None


ROOM_FOR_BITS: Final = 2**14
"""The maximum size in bytes of a table that has a bit for each possible item of each row."""


class Listed(NamedTuple):
    """The code for a list: the address and the count of its items."""

    items: str
    length: str
    kind: int = LIST
    const: tuple[int, ...] | None = None
    low: int = LOW
    high: int = HIGH
    """The bounds of the numbers in the list."""
    tag: str = LOCAL
    """The metadata for instructions that load from the list."""


class Variable(NamedTuple):
    """The addresses at which a local of a plain procedure is stored."""

    value: str
    length: str = ""
    room: str = ""
    """The capacity, if the local is a list to which items are appended."""


class Kept(NamedTuple):
    """The addresses of the cached value of a call, and of the flag that says whether the value is cached."""

    value: str
    is_there: str


def const(value: int) -> Num:
    """Return the code for a constant."""
    return Num(str(value), value, value)


@define(eq=False)
class Writer:
    """Writes the expressions of one native function.

    The function implements the plain procedure `plain`, or blocks if `plain` is None. A method that
    evaluates an expression writes the code for it.
    """

    module: Module
    function: Function
    plain: int | None = None
    suspending: int = -1
    """The procedure in whose frame the blocks run."""
    locals: int = 0
    """The number of locals of the frame."""
    known: Known = field(factory=dict)
    """The known bounds of the locals of a plain procedure, at the current point in the code."""
    gives: str = "i64"
    variables: dict[int, Variable] = field(factory=dict)
    kept: dict[ir.CallValue, Kept] = field(factory=dict)
    """The calls whose values do not change at the current point. The values are cached when they are first used."""
    lists: dict[ir.CallValue, Listed] = field(factory=dict)
    """The calls whose results are lists that do not change at the current point."""
    flat: bool = False
    """Whether both sides of a condition are evaluated, because neither can fail."""
    allocated: int = 0
    """The number of expressions so far that allocate memory for lists."""
    exits: int = 0
    """The number of points so far at which the function may fail."""
    _given_up: str = ""
    _failed: str = ""
    _impossible: str = ""

    # ---- ways to fail ----------------------------------------------------------------------------

    def give_up(self) -> None:
        """Leave the rest of the work to another engine."""
        self.exits += 1
        self._given_up = self._given_up or self.function.label()
        self.function.jump(self._given_up)

    def give_up_if(self, test: str) -> None:
        """Write code that leaves the rest of the work to another engine if a test is true."""
        self._given_up = self._given_up or self.function.label()
        self._leave_if(test, self._given_up)

    def fail(self) -> None:
        """Write code that fails because this step is impossible."""
        self.exits += 1
        self._impossible = self._impossible or self.function.label()
        self.function.jump(self._impossible)

    def failed_if(self, test: str) -> None:
        """Write code that fails if a test is true. The test must say that a called function has failed."""
        self._failed = self._failed or self.function.label()
        self._leave_if(test, self._failed)

    def _leave_if(self, test: str, label: str) -> None:
        self.exits += 1
        after = self.function.label()
        self.function.branch(test, label, after, UNLIKELY)
        self.function.start(after)

    def endings(self) -> None:
        """Write the blocks to which the function jumps when it fails."""
        f = self.function
        for label, why in ((self._given_up, GIVEN_UP), (self._impossible, IMPOSSIBLE)):
            if label:
                f.start(label)
                f.store("i64", str(why), "@ERR")
                self._failed = self._failed or f.label()
                f.jump(self._failed)
        if self._failed:
            f.start(self._failed)
            f.leave(f"{PAIR} zeroinitializer" if self.gives != "i64" else f"i64 {FAILED}")

    # ---- known facts -----------------------------------------------------------------------------

    def note(self, slot: int, given: Range) -> None:
        """Record bounds that hold for a local from this point on."""
        if self.plain is not None:
            low, high = given
            inside = low > high or (low >= LOW and high <= HIGH)
            self.known = {**self.known, slot: given if inside else (max(low, LOW), min(high, HIGH))}

    def range_of(self, expression: ir.Expr) -> Range:
        """Return the bounds of an expression's value."""
        known = None if self.plain is None else self.known
        return self.module.ranges.range_of(expression, known, self.suspending)

    def where(self, condition: ir.Expr, *, holds: bool) -> Known:
        """Return the bounds of locals in the code that runs only if a condition is true (with `holds`) or false."""
        if self.plain is None:
            return self.known
        return refine(self.known, condition, holds=holds, of=self.range_of)

    def turn(self, body: tuple[ir.Stmt, ...]) -> None:
        """Keep only those known bounds that are true before every iteration of a loop."""
        if self.plain is not None:
            self.known = self.module.ranges.before_turns(self.plain, body, self.known)

    # ---- numbers ---------------------------------------------------------------------------------

    def number(self, expression: ir.Expr) -> Num:
        """Evaluate an expression that must be a number."""
        f = self.function
        match expression:
            case ir.Const(int(value)):
                return const(value) if -WIDEST <= value <= WIDEST else self._no_number()
            case ir.Local(slot) if self.plain is None:
                return self._of_frame(slot)
            case ir.Local(slot):
                variable = self.variables.get(slot)
                if variable is None:
                    return const(0)
                if variable.length:
                    return self._no_number()
                low, high = self.known.get(slot, ZERO)
                if low == high:
                    return const(low)
                text = f.value(f"sext i32 {f.load('i32', variable.value)} to i64")
                return Num(text, low, high)
            case ir.Load(address, far):
                place = self.address(address, 0, far)
                return Num(f.cell("%S", place, GLOBAL), LOW, HIGH)
            case ir.Table(table, index):
                return self._table(table, index)
            case ir.Binary(word, left, right) if word not in COMPARED:
                return self.binary(word, self.number(left), self.number(right))
            case ir.Binary() | ir.Not() | ir.And() | ir.Or() | ir.Has():
                return Num(f.value(f"zext i1 {self.condition(expression)} to i64"), 0, 1)
            case ir.Choice(condition, then, otherwise):
                return self._choice(condition, then, otherwise)
            case ir.CallValue(callee, _):
                if self.module.kinds.result(callee) != NUMBER:
                    return self._no_number()
                return self.call_value(expression)
            case ir.Length(of):
                return Num(self.list_value(of).length, 0, HIGH)
            case ir.At(of, index):
                return self._at(of, index)
            case ir.Possible(procedure, arguments, actor):
                return self._possible(procedure, arguments, actor)
            case ir.Const() | ir.LocalList() | ir.MakeList():
                return self._no_number()
            case _:
                assert_never(expression)

    def _of_frame(self, slot: int) -> Num:
        """Read a local of a frame. The code gives up if the value is outside the bounds of the local."""
        f = self.function
        low, high = self.module.ranges.frame(self.suspending, slot)
        text = f.cell("%F", FRAME + slot, LOCAL)
        if (low, high) != ANY:
            moved = f.value(f"sub i64 {text}, {low}") if low else text
            self.give_up_if(f.value(f"icmp ugt i64 {moved}, {high - low}"))
        return Num(text, low, high)

    def _no_number(self) -> Num:
        self.give_up()
        return const(0)

    def within(self, place: Num, low: int, end: int) -> str:
        """Return an index. The code gives up unless the index is at least `low` and less than `end`."""
        if not (low <= place.low and place.high < end):
            if place.high < low or place.low >= end:
                self.give_up()
            moved = place.text
            if low:
                moved = self.function.value(f"sub i64 {place.text}, {low}")
            self.give_up_if(self.function.value(f"icmp uge i64 {moved}, {end - low}"))
        return place.text

    def address(self, expression: ir.Expr, low: int, far: bool) -> str:
        """Evaluate the address of a cell. A near cell must have an address of at least `low`,
        otherwise the code gives up."""
        program, number = self.module.program, self.number(expression)
        if not far:
            return self.within(number, low, program.far or program.stack)
        place = self.within(number, 0, program.stack - program.far)
        return self.function.value(f"add i64 {place}, {program.far}")

    def as_cell(self, number: Num) -> str:
        """Convert a number to 32 bits. The code gives up on numbers that do not fit."""
        if number.const is not None and LOW <= number.low <= HIGH:
            return str(number.low)
        text = self.function.value(f"trunc i64 {number.text} to i32")
        if not (number.low >= LOW and number.high <= HIGH):
            back = self.function.value(f"sext i32 {text} to i64")
            self.give_up_if(self.function.value(f"icmp ne i64 {back}, {number.text}"))
        return text

    def cell(self, expression: ir.Expr) -> str:
        """Evaluate an expression as 32 bits."""
        return self.as_cell(self.number(expression))

    def binary(self, word: ir.BinaryWord, a: Num, b: Num) -> Num:
        """Return the code for an operator whose result is a number."""
        f = self.function
        match word:
            case "+" | "-" | "*":
                low, high = arithmetic(word, (a.low, a.high), (b.low, b.high))
                if low > WIDEST or high < -WIDEST:
                    return self._no_number()
                if low == high:
                    return const(low)
                if low >= -WIDEST and high <= WIDEST:
                    return Num(f.value(f"{ARITHMETIC[word]} nsw i64 {a.text}, {b.text}"), low, high)
                name = f"@llvm.s{ARITHMETIC[word]}.with.overflow.i64"
                both = f.value(f"call {{ i64, i1 }} {name}(i64 {a.text}, i64 {b.text})")
                self.give_up_if(f.value(f"extractvalue {{ i64, i1 }} {both}, 1"))
                found = f.value(f"extractvalue {{ i64, i1 }} {both}, 0")
                self.give_up_if(f.value(f"icmp slt i64 {found}, {-WIDEST}"))
                return Num(found, max(low, -WIDEST), min(high, WIDEST))
            case "min":
                text = f.value(f"call i64 @llvm.smin.i64(i64 {a.text}, i64 {b.text})")
                return Num(text, min(a.low, b.low), min(a.high, b.high))
            case "max":
                text = f.value(f"call i64 @llvm.smax.i64(i64 {a.text}, i64 {b.text})")
                return Num(text, max(a.low, b.low), max(a.high, b.high))
            case _:
                return self._divide(word == "%", a, b)

    def _divide(self, modulo: bool, a: Num, b: Num) -> Num:
        """Write a division that rounds down or, with `modulo`, its remainder."""
        f = self.function
        if b.low <= 0 <= b.high:
            self.give_up_if(f.value(f"icmp eq i64 {b.text}, 0"))
            if b.const == 0:
                return const(0)
        if a.const is not None and b.const is not None:
            return const(a.const % b.const if modulo else a.const // b.const)
        most = max(abs(a.low), abs(a.high))
        largest = max(abs(b.low), abs(b.high))
        rest = f.value(f"srem i64 {a.text}, {b.text}")
        is_even = a.low >= 0 and b.low > 0
        off = "false"
        if not is_even:  # the remainder and the divisor have different signs
            differ = f.value(f"icmp slt i64 {f.value(f'xor i64 {rest}, {b.text}')}, 0")
            off = f.value(f"and i1 {f.value(f'icmp ne i64 {rest}, 0')}, {differ}")
        if modulo:
            if is_even:
                return Num(rest, 0, min(a.high, b.high - 1))
            more = f.value(f"add i64 {rest}, {b.text}")
            text = f.value(f"select i1 {off}, i64 {more}, i64 {rest}")
            return Num(text, 0 if b.low > 0 else -largest, largest if b.high > 0 else 0)
        quotient = f.value(f"sdiv i64 {a.text}, {b.text}")
        if is_even:
            return Num(quotient, 0, a.high)
        less = f.value(f"zext i1 {off} to i64")
        return Num(f.value(f"sub i64 {quotient}, {less}"), -most - 1, most + 1)

    def _table(self, table: int, index: ir.Expr) -> Num:
        f = self.function
        rows = self.module.program.tables[table]
        if rows and isinstance(rows[0], tuple):
            return self._no_number()
        values = self.module.column(table)
        place = self.number(index)
        if place.const is not None and 0 <= place.const < len(values):
            return const(values[place.const])
        text = self.within(place, 0, len(values))
        if not values:
            return const(0)
        found = f.cell(self.module.numbers(values), text)
        return Num(found, min(values), max(values))

    def _choice(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> Num:
        f = self.function
        if self.flat:
            test, one, other = self.condition(condition), self.number(then), self.number(otherwise)
            text = f.value(f"select i1 {test}, i64 {one.text}, i64 {other.text}")
            return Num(text, min(one.low, other.low), max(one.high, other.high))
        yes, no, after = f.label(), f.label(), f.label()
        before = self.known
        self.branch(condition, yes, no)
        f.start(yes)
        self.known = self.where(condition, holds=True)
        one = self.number(then)
        first = f.here if f.open else ""
        f.jump(after)
        f.start(no)
        self.known = before
        self.known = self.where(condition, holds=False)
        other = self.number(otherwise)
        self.known = before
        second = f.here if f.open else ""
        f.start(after)
        ways = [(one, first), (other, second)]
        ways = [(number, label) for number, label in ways if label]
        if not ways:
            f.do("unreachable")
            f.open = False
            return const(0)
        text = f.value("phi i64 " + ", ".join(f"[{n.text}, %{label}]" for n, label in ways))
        return Num(text, min(n.low for n, _ in ways), max(n.high for n, _ in ways))

    def _at(self, of: ir.Expr, index: ir.Expr) -> Num:
        f = self.function
        listed, place = self.list_value(of), self.number(index)
        if listed.kind != LIST:
            return self._no_number()
        if listed.const is not None and place.const is not None:
            inside = 0 <= place.const < len(listed.const)
            return const(listed.const[place.const] if inside else -1)
        inside_, after, before = f.label(), f.label(), f.here
        f.branch(f.value(f"icmp ult i64 {place.text}, {listed.length}"), inside_, after)
        before = f.here
        f.start(inside_)
        item = f.cell(listed.items, place.text, LOCAL)
        f.start(after)
        text = f.value(f"phi i64 [-1, %{before}], [{item}, %{inside_}]")
        return Num(text, max(min(-1, listed.low), LOW), min(max(-1, listed.high), HIGH))

    def _possible(self, procedure: int, arguments: Sequence[ir.Expr], actor: ir.Expr) -> Num:
        f = self.function
        cells = [self.cell(argument) for argument in arguments]
        who = self.number(actor)
        if len(cells) != self.module.program.suspending[procedure].parameters:
            return self._no_number()
        room = f.room(len(cells))
        for place, cell in enumerate(cells):
            f.set_cell(room, place, cell)
        found = f.value(
            f"call fastcc i64 @possible(ptr %S, i64 {procedure}, ptr {room}, i64 {len(cells)}, "
            f"i64 {who.text})"
        )
        self.failed_if(f.value(f"icmp eq i64 {found}, {FAILED}"))
        return Num(found, 0, 1)

    # ---- calls -----------------------------------------------------------------------------------

    def call(self, call: ir.CallValue | ir.CallPlain) -> str:
        """Write a call of a plain procedure, and return the name of the result."""
        f, module = self.function, self.module
        texts = ["ptr %S"]
        for slot, argument in enumerate(call.arguments):
            if module.kinds.slot(call.procedure, slot) == NUMBER:
                texts.append(f"i32 {self.cell(argument)}")
            else:
                listed = self.list_value(argument)
                texts.append(f"ptr {listed.items}, i64 {listed.length}")
        if len(call.arguments) != module.program.plain[call.procedure].parameters:
            self.give_up()
            return "poison"
        gives = module.gives(call.procedure)
        found = f.value(f"call fastcc {gives} @p{call.procedure}({', '.join(texts)})")
        if gives == "i64":
            self.failed_if(f.value(f"icmp eq i64 {found}, {FAILED}"))
        else:
            self.allocated += 1
            items = f.value(f"extractvalue {gives} {found}, 0")
            self.failed_if(f.value(f"icmp eq ptr {items}, null"))
        return found

    def call_value(self, call: ir.CallValue) -> Num:
        """Evaluate a call whose result is a number, or use the cached value of the call."""
        low, high = self.module.ranges.result(call.procedure)
        kept = self.kept.get(call)
        if kept is None:
            text = self.call(call)
        else:
            f = self.function
            there = f.load("i1", kept.is_there)
            with f.when(f.value(f"xor i1 {there}, true"), UNLIKELY):
                f.store("i64", self.call(call), kept.value)
                f.store("i1", "true", kept.is_there)
            text = f.load("i64", kept.value)
        return const(low) if low == high else Num(text, low, high)

    # ---- conditions ------------------------------------------------------------------------------

    def condition(self, expression: ir.Expr) -> str:
        """Evaluate an expression as one bit, which is 1 if the value is not 0."""
        f = self.function
        match expression:
            case ir.Binary(word, left, right) if word in COMPARED:
                a, b = self.number(left), self.number(right)
                known = known_comparison(word, (a.low, a.high), (b.low, b.high))
                if known is not None:
                    return "true" if known else "false"
                return f.value(f"icmp {COMPARED[word]} i64 {a.text}, {b.text}")
            case ir.Has(of, item):
                return self._has(of, item)
            case ir.And(left, right) | ir.Or(left, right) if self.flat:
                joining = "and" if isinstance(expression, ir.And) else "or"
                return f.value(f"{joining} i1 {self.condition(left)}, {self.condition(right)}")
            case ir.Not(operand) if self.flat:
                return f.value(f"xor i1 {self.condition(operand)}, true")
            case ir.Not(ir.And() | ir.Or()) | ir.And() | ir.Or():
                yes, no, after = f.label(), f.label(), f.label()
                self.branch(expression, yes, no)
                ways = []
                for label, bit in ((yes, "true"), (no, "false")):
                    f.start(label)
                    if f.open:
                        ways.append(f"[{bit}, %{label}]")
                    f.jump(after)
                f.start(after)
                return f.value(f"phi i1 {', '.join(ways)}")
            case ir.Not(operand):
                return f.value(f"xor i1 {self.condition(operand)}, true")
            case (
                ir.Leaf()
                | ir.Load()
                | ir.Table()
                | ir.Binary()
                | ir.Choice()
                | ir.CallValue()
                | ir.MakeList()
                | ir.Length()
                | ir.At()
                | ir.Possible()
            ):
                number = self.number(expression)
                if number.const is not None:
                    return "true" if number.const else "false"
                return f.value(f"icmp ne i64 {number.text}, 0")

    def branch(self, condition: ir.Expr, yes: str, no: str) -> None:
        """Write code that jumps to `yes` if a condition is true, otherwise to `no`."""
        f = self.function
        match condition:
            case ir.Not(operand):
                self.branch(operand, no, yes)
            case ir.And(left, right) | ir.Or(left, right):
                more, before = f.label(), self.known
                both = isinstance(condition, ir.And)
                self.branch(left, more if both else yes, no if both else more)
                f.start(more)
                self.known = self.where(left, holds=both)
                self.branch(right, yes, no)
                self.known = before
            case _:  # all others: `condition` evaluates them
                f.branch(self.condition(condition), yes, no)

    def _has(self, of: ir.Expr, item: ir.Expr) -> str:
        f = self.function
        wanted = self.number(item)
        found = self._member(of, wanted)
        if found:
            return found
        listed = self.list_value(of)
        if listed.kind != LIST:
            return "false"
        if listed.const is not None and len(listed.const) <= FEW:
            found = "false"
            for value in listed.const:
                one = f.value(f"icmp eq i64 {wanted.text}, {value}")
                found = one if found == "false" else f.value(f"or i1 {found}, {one}")
            return found
        return f.value(
            f"call fastcc i1 @has(ptr {listed.items}, i64 {listed.length}, i64 {wanted.text})"
        )

    def _member(self, of: ir.Expr, wanted: Num) -> str:
        """Test whether a number is in a row of a table of lists by looking up a bit.

        Returns "" if the table is not a table of numbers, or if its bits take too much memory.
        """
        f, module = self.function, self.module
        match of:
            case ir.Table(table, index):
                rows = module.program.tables[table]
            case _:
                return ""
        lists = [row for row in rows if isinstance(row, tuple)]
        numbers = [n for row in lists for n in row if isinstance(n, int)]
        if len(lists) < len(rows) or len(numbers) < sum(map(len, lists)):
            return ""
        low, high = min(numbers, default=0), max(numbers, default=0)
        width = (high - low) // 8 + 1
        if not len(rows) <= len(numbers) or width * len(rows) > ROOM_FOR_BITS:
            return ""
        place = self.within(self.number(index), 0, len(rows))
        moved = f.value(f"sub i64 {wanted.text}, {low}")
        inside = "true"
        if not low <= wanted.low <= wanted.high <= high:
            inside = f.value(f"icmp ule i64 {moved}, {high - low}")
            moved = f.value(f"select i1 {inside}, i64 {moved}, i64 0")
        first, whole = f.value(f"mul i64 {place}, {width}"), f.value(f"lshr i64 {moved}, 3")
        bits = f.at(
            module.members(tuple(lists), low, width), f.value(f"add i64 {first}, {whole}"), "i8"
        )
        shift = f.value(f"trunc i64 {f.value(f'and i64 {moved}, 7')} to i8")
        bit = f.value(f"lshr i8 {f.load('i8', bits)}, {shift}")
        return f.value(f"and i1 {inside}, {f.value(f'trunc i8 {bit} to i1')}")

    # ---- lists -----------------------------------------------------------------------------------

    def list_value(self, expression: ir.Expr) -> Listed:
        """Evaluate an expression that must be a list."""
        f, module = self.function, self.module
        match expression:
            case ir.Const(tuple() as value):
                return self._constant(value)
            case ir.Local(slot) if self.plain is not None:
                variable = self.variables.get(slot)
                if variable is None or not variable.length:
                    return self._no_list()
                items, length = f.load("ptr", variable.value), f.load("i64", variable.length)
                kind = module.kinds.slot(self.plain, slot)
                return Listed(items, length, kind, None, *self.known.get(slot, EMPTY))
            case ir.LocalList(slot) if self.plain is None:
                count = f.cell("%F", FRAME + slot, LOCAL)
                self.give_up_if(f.value(f"icmp sge i64 {count}, {self.locals - slot}"))
                length = f.value(f"call i64 @llvm.smax.i64(i64 {count}, i64 0)")
                return Listed(f.at("%F", FRAME + slot + 1), length)
            case ir.Table(table, index):
                rows = module.program.tables[table]
                place = self.within(self.number(index), 0, len(rows))
                if not rows or not isinstance(rows[0], tuple):
                    return self._no_list()
                name, kind = module.constant_list(rows)
                given = self.range_of(expression)
                return self.inner(Listed(name, str(len(rows)), kind, None, *given), place)
            case ir.Choice(condition, then, otherwise):
                return self._list_choice(condition, then, otherwise)
            case ir.CallValue() if expression in self.lists:
                return self.lists[expression]
            case ir.CallValue(callee, _):
                kind = module.kinds.result(callee)
                found = self.call(expression)
                if kind < LIST:
                    return self._no_list()
                items = f.value(f"extractvalue {{ ptr, i64 }} {found}, 0")
                length = f.value(f"extractvalue {{ ptr, i64 }} {found}, 1")
                return Listed(items, length, kind, None, *module.ranges.result(callee))
            case ir.MakeList(items_):
                return self._make_list(items_)
            case ir.At(of, index):
                return self._list_at(of, index)
            case (
                ir.Leaf()
                | ir.Logic()
                | ir.Load()
                | ir.Binary()
                | ir.Length()
                | ir.Has()
                | ir.Possible()
            ):
                return self._no_list()

    def _no_list(self) -> Listed:
        self.give_up()
        return Listed("null", "0")

    def _constant(self, value: tuple[object, ...]) -> Listed:
        name, kind = self.module.constant_list(value)
        numbers = tuple(item for item in value if isinstance(item, int))
        known = numbers if len(numbers) == len(value) else None
        return Listed(name, str(len(value)), kind, known, *leaves(value))

    def _list_choice(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> Listed:
        f = self.function
        yes, no, after = f.label(), f.label(), f.label()
        ways: list[tuple[Listed, str]] = []
        self.branch(condition, yes, no)
        for label, expression in ((yes, then), (no, otherwise)):
            f.start(label)
            listed = self.list_value(expression)
            if f.open:
                ways.append((listed, f.here))
            f.jump(after)
        f.start(after)
        if not ways:
            f.do("unreachable")
            f.open = False
            return Listed("null", "0")
        items = ", ".join(f"[{listed.items}, %{label}]" for listed, label in ways)
        lengths = ", ".join(f"[{listed.length}, %{label}]" for listed, label in ways)
        kind = max(listed.kind for listed, _ in ways)
        low, high = (min(one.low for one, _ in ways), max(one.high for one, _ in ways))
        texts = f.value(f"phi ptr {items}"), f.value(f"phi i64 {lengths}")
        return Listed(*texts, kind, None, low, high)

    def _make_list(self, items: tuple[ir.Expr, ...]) -> Listed:
        f = self.function
        kind = 1 + max((self.module.kinds.of(item, self.plain) for item in items), default=NUMBER)
        if kind == LIST:
            numbers = [self.number(item) for item in items]
            known = [number.const for number in numbers]
            if all(value is not None and LOW <= value <= HIGH for value in known):
                return self._constant(tuple(known))
            cells = [self.as_cell(number) for number in numbers]
            room = self.take_room(str(len(cells)))
            for place, cell in enumerate(cells):
                f.set_cell(room, place, cell, LOCAL)
            low, high = min(one.low for one in numbers), max(one.high for one in numbers)
            return Listed(room, str(len(cells)), LIST, None, max(low, LOW), min(high, HIGH))
        lists = [self.list_value(item) for item in items]
        room = self.take_room(str(stride(kind) * len(lists)))
        for place, listed in enumerate(lists):
            self.set_inner(f.at(room, stride(kind) * place), listed)
        low, high = min(one.low for one in lists), max(one.high for one in lists)
        return Listed(room, str(len(lists)), kind, None, low, high)

    def _list_at(self, of: ir.Expr, index: ir.Expr) -> Listed:
        """Read a list in a list. The code gives up if the index is outside the outer list."""
        f = self.function
        listed, place = self.list_value(of), self.number(index)
        if listed.kind <= LIST:
            return self._no_list()
        self.give_up_if(f.value(f"icmp uge i64 {place.text}, {listed.length}"))
        return self.inner(listed, place.text)

    def inner(self, listed: Listed, place: str) -> Listed:
        """Read the list at a valid index of a list of lists."""
        f = self.function
        pair = f.at(listed.items, place, PAIR)
        items = f.value(f"load ptr, ptr {pair}, align 4{LOCAL}")
        length = f.value(f"load i64, ptr {f.at(pair, 2)}, align 4{LOCAL}")
        return Listed(items, length, listed.kind - 1, None, listed.low, listed.high)

    def set_inner(self, address: str, listed: Listed) -> None:
        """Write code that stores a list at an address, as an item of another list."""
        f = self.function
        f.do(f"store ptr {listed.items}, ptr {address}, align 4{LOCAL}")
        f.do(f"store i64 {listed.length}, ptr {f.at(address, 2)}, align 4{LOCAL}")

    def take_room(self, cells: str) -> str:
        """Reserve memory of the size `cells` for a list, and return its address."""
        f = self.function
        self.allocated += 1
        top = f.load("ptr", "@TOP")
        end = f.at(top, cells)
        self.give_up_if(f.value(f"icmp ugt ptr {end}, {f.load('ptr', '@END')}"))
        f.store("ptr", end, "@TOP")
        return top


def known_comparison(word: ir.BinaryWord, one: Range, other: Range) -> bool | None:
    """If a comparison has the same result for all numbers in the two ranges, return the result, otherwise None."""
    holds = {bool(OPERATORS[word](x, y)) for x in one for y in other}
    meet = one[0] <= other[1] and other[0] <= one[1]
    if len(holds) > 1 or (
        meet and word in ("==", "!=") and (one[0] < one[1] or other[0] < other[1])
    ):
        return None
    return holds.pop()
