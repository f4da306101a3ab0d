"""Lowers sums, differences and products. Numbers are in -2^63..2^63-1; a result outside this range is a fault.

The ranges of types end at `MOST`. A number whose type reaches this bound may have any value.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit.code import Expr, binary
from rulewright.dsl.lowering.emit.core import Compiler, Typed
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.model.types import MOST, Type, range_of, whole

LEAST_NUMBER: Final = -(2**63)
MOST_NUMBER: Final = 2**63 - 1

_LEFT: Final = "a number left the range -2^63..2^63-1"

Word = Literal["+", "-", "*"]
_CHECKED: Final[dict[Word, str]] = {
    "+": "checked sum",
    "-": "checked difference",
    "*": "checked product",
}


def edges(type: Type) -> tuple[int, int]:
    """Return the lowest and the highest possible value of a number of this type."""
    numbers = range_of(type)
    low = LEAST_NUMBER if numbers.low <= -MOST else numbers.low
    return low, MOST_NUMBER if numbers.high >= MOST else numbers.high


def arithmetic(c: Compiler, word: Word, left: Typed, right: Typed, span: Span) -> Typed:
    """Lower `left word right`. If the result may overflow, the code raises a fault in that case."""
    low, high = _result_range(word, _edges_of(left), _edges_of(right))
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
    return Typed(type, ir.CallValue(checked_operation(c, word, span), (left.code, right.code)))


def checked_operation(c: Compiler, word: Word, span: Span) -> int:
    """Return the number of the procedure that computes `a word b`, or raises a fault if the result is out of range."""
    name = f"checked {word} {span!r}"
    known = c.helpers.get(name)
    if known is not None:
        return known
    left = c.fault("out-of-range", _LEFT, span)
    return routine(c, _CHECKED[word], name, left=left, least=LEAST_NUMBER, most=MOST_NUMBER)


def dividend(c: Compiler, code: Expr, divisor: Expr, span: Span) -> Expr:
    """Return code that computes the dividend of a division.

    Dividing the lowest number by -1 would overflow, so the code raises a fault in that case.
    """
    left = c.fault("out-of-range", _LEFT, span)
    helper = routine(c, "dividend", f"dividend {left}", left=left, least=LEAST_NUMBER)
    return ir.CallValue(helper, (code, divisor))


def _edges_of(typed: Typed) -> tuple[int, int]:
    """Return the lowest and the highest value that an expression can have. For a constant, both are the constant."""
    if isinstance(typed.code, ir.Const) and isinstance(typed.code.value, int):
        return typed.code.value, typed.code.value
    return edges(typed.type)


def _result_range(word: Word, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    (a, b), (x, y) = left, right
    match word:
        case "+":
            return a + x, b + y
        case "-":
            return a - y, b - x
        case "*":
            corners = (a * x, a * y, b * x, b * y)
            return min(corners), max(corners)
