"""Sums, differences and products: every number is in -2^63..2^63-1; a larger one is a fault at its operator.

Types have numbers up to `MOST`; a number whose type reaches that bound may be of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, binary, both, either
from rulewright.dsl.lowering.emit.core import Compiler, Procedure, Typed
from rulewright.dsl.model.types import MOST, Type, range_of, whole

LEAST_NUMBER: Final = -(2**63)
MOST_NUMBER: Final = 2**63 - 1

_LEFT: Final = "a number left the range -2^63..2^63-1"

Word = Literal["+", "-", "*"]


def edges(type: Type) -> tuple[int, int]:
    """The bounds of a number of this type."""
    numbers = range_of(type)
    low = LEAST_NUMBER if numbers.low <= -MOST else numbers.low
    return low, MOST_NUMBER if numbers.high >= MOST else numbers.high


def arithmetic(c: Compiler, word: Word, left: Typed, right: Typed, span: Span) -> Typed:
    """`left word right`, with a fault if it may overflow."""
    low, high = _found(word, _edges_of(left), _edges_of(right))
    type = whole(low, high)
    if low >= LEAST_NUMBER and high <= MOST_NUMBER:
        return Typed(type, binary(word, left.code, right.code))
    if low > MOST_NUMBER or high < LEAST_NUMBER:
        c.problems.error(
            "out-of-range",
            "this is always outside the range of numbers (-2^63..2^63-1)",
            span,
            help="count in larger units, or bound the numbers with `min(...)`",
        )
    return Typed(type, ir.CallValue(checked(c, word, span), (left.code, right.code)))


def checked(c: Compiler, word: Word, span: Span) -> int:
    """The procedure that computes `a word b`, or ends in the fault."""
    name = f"checked {word} {span!r}"
    known = c.helpers.get(name)
    if known is not None:
        return known
    fault = ir.Fault(c.fault("out-of-range", _LEFT, span))
    a, b = ir.Local(0), ir.Local(1)

    def write(p: Procedure) -> tuple[int, Sequence[ir.Stmt]]:
        p.slot(2)
        return 2, [*_TESTS[word](a, b, fault), ir.Return(ir.Binary(word, a, b))]

    return c.helper(name, write)


def dividend(c: Compiler, code: Expr, divisor: Expr, span: Span) -> Expr:
    """The dividend of a division; the least number divided by -1 would be out of range."""
    fault = ir.Fault(c.fault("out-of-range", _LEFT, span))

    def write(p: Procedure) -> tuple[int, Sequence[ir.Stmt]]:
        p.slot(2)
        is_turned = _compare("==", ir.Local(1), ir.Const(-1))
        is_wrong = both(is_turned, _compare("==", ir.Local(0), _LEAST))
        return 2, [ir.If(is_wrong, (fault,)), ir.Return(ir.Local(0))]

    return ir.CallValue(c.helper(f"dividend {fault.fault}", write), (code, divisor))


def _edges_of(typed: Typed) -> tuple[int, int]:
    """As `edges`; both bounds of a known number are this number."""
    if isinstance(typed.code, ir.Const) and isinstance(typed.code.value, int):
        return typed.code.value, typed.code.value
    return edges(typed.type)


def _found(word: Word, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    (a, b), (x, y) = left, right
    match word:
        case "+":
            return a + x, b + y
        case "-":
            return a - y, b - x
        case "*":
            corners = (a * x, a * y, b * x, b * y)
            return min(corners), max(corners)


_LEAST: Final = ir.Const(LEAST_NUMBER)
_MOST: Final = ir.Const(MOST_NUMBER)


def _compare(word: ir.BinaryWord, one: Expr, other: Expr) -> Expr:
    return ir.Binary(word, one, other)


def _sum(a: Expr, b: Expr, fault: ir.Stmt) -> list[ir.Stmt]:
    over = both(_compare(">", b, ZERO), _compare(">", a, ir.Binary("-", _MOST, b)))
    under = both(_compare("<", b, ZERO), _compare("<", a, ir.Binary("-", _LEAST, b)))
    return [ir.If(either(over, under), (fault,))]


def _difference(a: Expr, b: Expr, fault: ir.Stmt) -> list[ir.Stmt]:
    over = both(_compare("<", b, ZERO), _compare(">", a, ir.Binary("+", _MOST, b)))
    under = both(_compare(">", b, ZERO), _compare("<", a, ir.Binary("+", _LEAST, b)))
    return [ir.If(either(over, under), (fault,))]


def _product(a: Expr, b: Expr, fault: ir.Stmt) -> list[ir.Stmt]:
    """The tests that lead to the fault if a product is out of range; their own numbers stay in range."""
    minus, two = ir.Const(-1), ir.Const(-2)
    above = _compare(">", a, ir.Binary("//", _MOST, b))
    below = both(_compare("<", a, ZERO), _compare("<", a, _rounded_up(_LEAST, b)))
    positive = ir.If(_compare(">", b, ONE), (ir.If(either(above, below), (fault,)),))
    above = both(_compare(">", a, ZERO), _compare(">", a, ir.Binary("//", _LEAST, b)))
    below = _compare("<", a, _rounded_up(_MOST, b))
    negative = ir.If(_compare("<=", b, two), (ir.If(either(above, below), (fault,)),))
    turned = ir.If(both(_compare("==", b, minus), _compare("==", a, _LEAST)), (fault,))
    return [positive, negative, turned]


def _rounded_up(number: ir.Const, b: Expr) -> Expr:
    more = _compare("!=", ir.Binary("%", number, b), ZERO)
    return ir.Binary("+", ir.Binary("//", number, b), more)


_TESTS: Final[dict[Word, Callable[[Expr, Expr, ir.Stmt], list[ir.Stmt]]]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
}
