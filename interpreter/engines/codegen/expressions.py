"""Writes Python code for the expressions of the core IR.

A value becomes a Python number (never a bool) or a list (tuple, list or array). A condition becomes
any expression that Python treats as true or false. This module does not depend on statements.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import assert_never

from attrs import define, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import Knowledge, Raise
from rulewright.interpreter.engines.codegen.code import (
    ADD,
    AND,
    COMPARE,
    COMPARED,
    MULTIPLY,
    NOT,
    OR,
    TERNARY,
    Code,
    Flags,
    Shared,
    add,
    compare,
    const,
    number,
    scale,
)
from rulewright.interpreter.engines.codegen.scopes import Available, Inlined, Scope

FOLDED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
}
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
ZERO, ONE = ir.Const(0), ir.Const(1)
SOME: dict[tuple[str, object], bool] = {
    (">", 0): True,
    (">=", 1): True,
    ("!=", 0): True,
    ("<", 1): False,
    ("<=", 0): False,
    ("==", 0): False,
}
BOOLEAN = (ir.Not, ir.And, ir.Or, ir.Has, ir.Possible)

WITHIN = 4  # The maximum nesting of inlined calls.
LONGEST = 600  # The maximum length of an inlined call, in characters.


@define(eq=False)
class Writer:
    """Writes the expressions of one Python function, and collects the lines of the function."""

    knowledge: Knowledge
    flags: Flags
    shared: Shared
    scope: Scope
    lines: list[str] = field(factory=list)
    pure: bool = False
    """Whether the state does not change while the function runs."""
    available: list[Available] = field(factory=list)
    loaded: dict[str, str] = field(factory=dict)
    """The variables for values that are computed once, when the function begins."""
    margin: str = " "
    loops: int = 0
    calls: list[int] = field(factory=list)
    """The procedures that are being inlined."""
    pinned: int = 0
    """The number of inlined procedures whose parameters are in variables."""
    _temps: int = field(default=0, init=False)
    _earlies: int = field(default=0, init=False)
    _marks: int = field(default=0, init=False)

    def line(self, text: str) -> None:
        """Append a line."""
        self.lines.append(self.margin + text)

    def early(self) -> str:
        """Return a new name for a value that is computed before a loop."""
        self._earlies += 1
        return f"w{self._earlies}"

    def at_first(self, text: str) -> str:
        """Return the variable of a value that is computed once, when the function begins."""
        for name, known in self.loaded.items():
            if known == text:
                return name
        name = self.early()
        self.loaded[name] = text
        return name

    def mark(self) -> str:
        """Return a new suffix that distinguishes the variables of another procedure in this function."""
        self._marks += 1
        return f"_{self._marks}"

    def temp(self) -> str:
        """Return a new name for a value that is needed twice."""
        self._temps += 1
        return f"t{self._temps}"

    def twice(self, code: Code) -> tuple[str, str]:
        """Return two pieces of code for a value: one for the first use, which computes the value,
        and one for later uses."""
        if code.is_simple:
            return code.text, code.text
        name = self.temp()
        return f"({name} := {code.text})", name

    # ---- values ----------------------------------------------------------------------------------

    def text(self, expression: ir.Expr) -> str:
        """Return the code of a value for a place between brackets or commas."""
        return self.value(expression).text

    def texts(self, expressions: Sequence[ir.Expr]) -> str:
        """Return the code of a tuple of values."""
        return _tuple([self.text(expression) for expression in expressions])

    def frozen(self, expressions: Sequence[ir.Expr]) -> str:
        """Return the code of a tuple of values that leave the engine. Lists in them become tuples."""
        return _tuple([self._frozen(expression) for expression in expressions])

    def _frozen(self, expression: ir.Expr) -> str:
        code = self.value(expression)
        if code.const is not None or isinstance(expression, (ir.Binary, ir.Load, *BOOLEAN)):
            return code.text
        return f"freeze({code.text})"

    def look(self, expression: ir.Expr) -> Code:
        """Return the code of a list that is only read."""
        if isinstance(expression, ir.Local):
            return self.scope.look(expression.slot)
        return self.value(expression)

    def value(self, expression: ir.Expr | Raise) -> Code:
        """Return the code of a value."""
        code = self.available_code(expression) if self.available else None
        if code is None:
            code = self._value(expression)
        return code if self.pinned else self.shared.fitting(code)

    def _value(self, expression: ir.Expr | Raise) -> Code:
        match expression:
            case ir.Local(slot):
                return self.scope.read(slot)
            case ir.Const(value):
                return self.shared.const(value)
            case ir.Load(address):
                place = self.value(address)
                if expression.far:
                    return self._far(place)
                if self.pure and self.loops and place.const is not None:
                    name = f"c{place.text}"
                    self.loaded[name] = f"S[{place.text}]"
                    return Code(name)
                return Code(f"S[{self.address_code('cell', place)}]")
            case ir.Binary(word, left, right):
                if word in COMPARED:
                    return self._bit(expression)
                return self.binary(word, left, right)
            case ir.Table(table, index):
                return self._table(table, index)
            case ir.Not() | ir.And() | ir.Or() | ir.Has() | ir.Possible():
                return self._bit(expression)
            case ir.Choice(condition, then, otherwise):
                return self._choice(condition, then, otherwise)
            case ir.CallValue():
                return self._inline(expression, self.value) or self.call(expression)
            case ir.LocalList(slot):
                first = self.scope.address(slot + 1)
                end = add(first, self.count_in_frame(slot))
                return Code(f"S[{first.text}:{end.text}]")
            case ir.MakeList(items):
                codes = [self.value(item) for item in items]
                if all(code.const is not None for code in codes):
                    return self.shared.const(tuple(code.const for code in codes))
                return Code(_tuple([code.text for code in codes]))
            case ir.Length(of):
                return self._length(of)
            case ir.At(of, index):
                return self._at(of, index)
            case Raise(by):
                return Code(f"throw({self.problem(by)})")
            case _:
                assert_never(expression)

    def _far(self, place: Code) -> Code:
        far = self.knowledge.program.far
        if self.flags.lists:
            cells = self.at_first(f"S[{far}]") if self.pure else f"S[{far}]"
            return Code(f"{cells}[{place.text}]")
        return Code(f"S[{self.address_code('cell', add(const(far), place))}]")

    def available_code(self, expression: object) -> Code | None:
        """Return the code of an expression whose value a variable contains here, otherwise None."""
        for found in self.available:
            if found.scope is self.scope and found.expression == expression:
                return found.code
        return None

    def _bit(self, expression: ir.Expr) -> Code:
        condition = self.condition(expression)
        if condition.const is not None:
            return condition
        return Code(f"1 if {condition.within(OR)} else 0", TERNARY)

    def address_code(self, word: str, code: Code) -> str:
        """Return the code of an address or index. In modules that check, the code includes the check."""
        return f"{word}({code.text})" if self.flags.checked else code.text

    def binary(self, word: ir.BinaryWord, left: ir.Expr, right: ir.Expr) -> Code:
        """Return the code for an operator whose result is a number."""
        a, b = self.value(left), self.value(right)
        known = isinstance(a.const, int) and isinstance(b.const, int)
        if known and (b.const or word not in ("//", "%")):
            return self.shared.const(FOLDED[word](a.const, b.const))  # type: ignore[arg-type]  # both are numbers
        if word in ("+", "-"):
            return add(a, b, 1 if word == "+" else -1)
        if word == "*" and isinstance(a.const, int) and a.const:
            return scale(b, a.const)
        if word == "*" and isinstance(b.const, int) and b.const:
            return scale(a, b.const)
        if word == "//" and b.const == 1:
            return a
        if word in ("min", "max"):
            (first, one), (second, two) = self.twice(a), self.twice(b)
            symbol = "<=" if word == "min" else ">="
            return Code(f"{one} if {first} {symbol} {second} else {two}", TERNARY)
        return Code(f"{a.within(MULTIPLY)} {word} {b.within(MULTIPLY + 1)}", MULTIPLY)

    def _table(self, table: int, index: ir.Expr) -> Code:
        values = self.knowledge.program.tables[table]
        code = self.value(index)
        if isinstance(code.const, int) and 0 <= code.const < len(values):
            return self.shared.const(values[code.const])
        if self.flags.checked:
            return Code(f"T{table}[row({code.text}, {len(values)})]")
        return Code(f"T{table}[{code.text}]")

    def _choice(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> Code:
        test = self.condition(condition)
        if test.const is not None:
            return self.value(then if test.const else otherwise)
        left, right = self.value(then), self.value(otherwise)
        if (left.const, right.const) == (1, 0):
            return Code(f"1 if {test.within(OR)} else 0", TERNARY)
        text = f"{left.within(OR)} if {test.within(OR)} else {right.text}"
        return Code(text, TERNARY)

    def _length(self, of: ir.Expr) -> Code:
        if isinstance(of, ir.LocalList):
            return self.count_in_frame(of.slot)
        code = self.look(of)
        if isinstance(code.const, tuple):
            return self.shared.const(len(code.const))
        return Code(f"len({code.text})")

    def _at(self, of: ir.Expr, index: ir.Expr) -> Code:
        if isinstance(of, ir.LocalList):
            count, place = self.count_in_frame(of.slot).text, self.value(index)
            once, again = self.twice(place)
            known = isinstance(place.const, int) and place.const >= 0
            test = f"{count} > {once}" if known else f"{count} > {once} >= 0"
            again_code = place if known else Code(again)
            address = add(self.scope.address(of.slot + 1), again_code)
            return Code(f"S[{address.text}] if {test} else -1", TERNARY)
        listed, place = self.look(of), self.value(index)
        if isinstance(place.const, int) and place.const >= 0:
            if isinstance(listed.const, tuple):
                inside = place.const < len(listed.const)
                return self.shared.const(listed.const[place.const] if inside else -1)
            if isinstance(of, ir.Table) and place.const < self._shortest(of.table):
                return Code(f"{listed.text}[{place.const}]")
        first, then = self.twice(listed)
        if isinstance(place.const, int) and place.const >= 0:
            test = f"len({first}) > {place.const}" if place.const else first
            return Code(f"{then}[{place.const}] if {test} else -1", TERNARY)
        once, again = self.twice(place)
        return Code(f"{then}[{again}] if len({first}) > {once} >= 0 else -1", TERNARY)

    def _shortest(self, table: int) -> int:
        """Return the length of the shortest list in a table, or 0 if a row is no list."""
        rows = self.knowledge.program.tables[table]
        return min((len(row) if isinstance(row, tuple) else 0 for row in rows), default=0)

    def count_in_frame(self, slot: int) -> Code:
        """Return the number of items in a list of the frame."""
        return Code(f"S[{self.scope.address(slot).text}]")

    def call(self, call: ir.CallValue | ir.CallPlain, letter: str = "p", extra: str = "") -> Code:
        """Return the code of a call."""
        cells = self.knowledge.cells(call.procedure) if letter == "p" else None
        if cells is not None and not self.flags.checked and not self.flags.counts:
            base, (once, again) = cells.base, self.twice(self.value(cells.count))
            return Code(f"S[{base}:{base} + {again} if {once} > 0 else {base}]")
        texts = [
            self.argument(call.procedure, place, argument).text
            for place, argument in enumerate(call.arguments)
        ]
        if letter == "p" and self.knowledge.is_timeless(call.procedure, self.flags.counts):
            return Code(f"M{call.procedure}[{', '.join(texts) or 0}]")
        return Code(f"{letter}{call.procedure}({', '.join(['S' + extra, *texts])})")

    def argument(self, procedure: int, place: int, argument: ir.Expr) -> Code:
        """Return the code of an argument of a call."""
        if isinstance(argument, ir.Local) and not self.knowledge.keeps(procedure, place):
            return self.scope.look(argument.slot)
        return self.value(argument)

    def problem(self, statement: ir.Fail | ir.Fault) -> str:
        """Return the code that creates the error of a statement."""
        if isinstance(statement, ir.Fault):
            return f"fault({statement.fault})"
        return f"Impossible({statement.message}, {self.frozen(statement.arguments)})"

    # ---- inlined calls ---------------------------------------------------------------------------

    def _inline(self, call: ir.CallValue, write: Callable[[ir.Expr | Raise], Code]) -> Code | None:
        procedure = call.procedure
        if procedure in self.calls or len(self.calls) >= WITHIN:
            return None
        body = self.knowledge.expression(procedure, self.flags.counts)
        if body is None:
            return None
        outer = self.scope
        known = outer.save() if isinstance(outer, Inlined) else None
        inner = self._parameters(call, outer)
        code = None
        if inner is not None:
            pinned = bool(inner.later)
            self.scope = inner
            self.calls.append(procedure)
            self.pinned += pinned
            code = write(body)
            self.pinned -= pinned
            self.calls.pop()
            self.scope = outer
        if code is None or len(code.text) > LONGEST:
            if known is not None:
                outer.restore(known)
            return None
        return code

    def _parameters(self, call: ir.CallValue, outer: Scope) -> Inlined | None:
        """Return the code for the parameters of an inlined call. If inlining would change the order
        of evaluation, return None."""
        procedure = call.procedure
        uses = self.knowledge.uses(procedure)
        waiting = len(outer.later) if isinstance(outer, Inlined) else 0
        codes = [self.argument(procedure, n, a) for n, a in enumerate(call.arguments)]
        begun = isinstance(outer, Inlined) and len(outer.later) < waiting
        if begun and (len(codes) > 1 or not uses[0].surely):
            # A variable must be written before it is read.
            return None
        later: dict[int, Code] = {}
        for place, (code, use) in enumerate(zip(codes, uses, strict=True)):
            if code.is_simple or code.const is not None:
                continue
            if not use.first and self.matters(call.arguments[place]):
                return None
            if use.count > 1:
                if not use.surely:
                    return None
                name = self.temp()
                codes[place] = Code(f"({name} := {code.text})")
                later[place] = Code(name)
        return Inlined(codes, later)

    # ---- conditions ------------------------------------------------------------------------------

    def condition(self, expression: ir.Expr | Raise, negate: bool = False) -> Code:
        """Return code that is true if a value is not 0 (with `negate`, if it is 0)."""
        code = self.available_code(expression) if self.available else None
        if code is None:
            code = self._condition(expression, negate)
        elif negate:
            code = Code(f"not {code.within(NOT)}", NOT)
        return code if self.pinned else self.shared.fitting(code)

    def _condition(self, expression: ir.Expr | Raise, negate: bool) -> Code:
        match expression:
            case ir.Not(operand):
                return self.condition(operand, not negate)
            case ir.And(left, right):
                return self._both(left, right, negate, is_and=True)
            case ir.Or(left, right):
                return self._both(left, right, negate, is_and=False)
            case ir.Binary(word, left, right) if word in COMPARED:
                return self._comparison(word, left, right, negate)
            case ir.Has(of, item):
                return self._has(of, item, negate)
            case ir.Possible(procedure, arguments, actor):
                values = self.texts(arguments)
                code = Code(f"possible(S, {procedure}, {values}, {self.text(actor)})")
                return Code(f"not {code.text}", NOT) if negate else code
            case ir.Choice(condition, then, otherwise):
                return self._choice_between(condition, then, otherwise, negate)
            case ir.CallValue():
                inlined = self._inline(expression, lambda body: self.condition(body, negate))
                if inlined is not None:
                    return inlined
            case _:  # all others: their values decide
                pass
        code = self.value(expression)
        if isinstance(code.const, int):
            return number((code.const != 0) != negate)
        return Code(f"not {code.within(NOT)}", NOT) if negate else code

    def _both(self, left: ir.Expr, right: ir.Expr, negate: bool, is_and: bool) -> Code:
        word, level = ("and", AND) if is_and != negate else ("or", OR)
        a = self.condition(left, negate)
        stop = (
            0 if word == "and" else 1
        )  # the result of the whole expression, if the left side decides it
        if a.const is not None:
            return a if a.const == stop else self.condition(right, negate)
        b = self.condition(right, negate)
        if b.const == 1 - stop:
            return a
        if b.const == stop and a.is_idle:
            return b
        return Code(f"{a.within(level)} {word} {b.within(level)}", level)

    def matters(self, node: object) -> bool:
        """Return whether evaluating a node has effects."""
        return self.knowledge.matters(node, self.flags.counts)

    def _comparison(self, word: str, left: ir.Expr, right: ir.Expr, negate: bool) -> Code:
        if negate:
            word = NEGATED[word]
        if isinstance(left, ir.Const) and word in ("==", "!="):
            left, right = right, left
        if isinstance(left, ir.Length) and isinstance(right, ir.Const):
            some = SOME.get((word, right.value))
            if some is not None:
                return self._some(left.of, some)
        if right == ZERO and word in ("==", "!="):
            return self.condition(left, word == "==")
        if right == ONE and word in ("==", "!=") and _is_bit(left):
            return self.condition(left, word == "!=")
        return compare(self.value(left), word, self.value(right))

    def _some(self, of: ir.Expr, some: bool) -> Code:
        """Return code that tests whether a list has items."""
        match of:
            case ir.LocalList(slot):
                code = self.count_in_frame(slot)
            case _:
                code = self.look(of)
        if isinstance(code.const, tuple):
            return number(bool(code.const) == some)
        return code if some else Code(f"not {code.within(NOT)}", NOT)

    def _has(self, of: ir.Expr, item: ir.Expr, negate: bool) -> Code:
        wanted = self.value(item)
        listed = self.look(of)
        if not isinstance(listed.const, tuple):
            return _in(wanted, listed.within(ADD), negate)
        values = listed.const
        if wanted.const is not None:
            return number((wanted.const in values) != negate)
        if not values and wanted.is_idle:
            return number(negate)
        if len(values) == 1:
            symbol = "!=" if negate else "=="
            return Code(f"{wanted.within(ADD)} {symbol} {values[0]}", COMPARE)
        if len(values) <= 3:
            return _in(wanted, repr(values), negate)
        return _in(wanted, self.shared.constant("H", values, lambda: frozenset(values)), negate)

    def _choice_between(
        self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, negate: bool
    ) -> Code:
        """Return the code of a choice between conditions."""
        if then == ONE or otherwise == ZERO:
            rest = otherwise if then == ONE else then
            return self._both(condition, rest, negate, is_and=otherwise == ZERO and then != ONE)
        if then == ZERO:
            return self._both(ir.Not(condition), otherwise, negate, is_and=True)
        if otherwise == ONE:
            return self._both(ir.Not(condition), then, negate, is_and=False)
        test = self.condition(condition)
        if test.const is not None:
            return self.condition(then if test.const else otherwise, negate)
        left, right = self.condition(then, negate), self.condition(otherwise, negate)
        return Code(f"{left.within(OR)} if {test.within(OR)} else {right.text}", TERNARY)


def _is_bit(expression: ir.Expr) -> bool:
    return isinstance(expression, BOOLEAN) or (
        isinstance(expression, ir.Binary) and expression.operator in COMPARED
    )


def _tuple(texts: list[str]) -> str:
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _in(item: Code, listed: str, negate: bool) -> Code:
    word = "not in" if negate else "in"
    return Code(f"{item.within(ADD)} {word} {listed}", COMPARE)
