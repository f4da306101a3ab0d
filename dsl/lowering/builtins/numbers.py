"""Lowers the built-in functions for numbers, and for values that may be nothing or hidden."""

from __future__ import annotations

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.builtins import function
from rulewright.dsl.lowering.emit.code import ZERO, binary
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.emit.routines import guard_routine, routine
from rulewright.dsl.lowering.values import expressions, operators, places
from rulewright.dsl.lowering.values.arithmetic import arithmetic
from rulewright.dsl.model import types
from rulewright.dsl.model.types import range_of, whole
from rulewright.dsl.tree import syntax


@function("min(a, ...)")
def smallest(env: Env, e: syntax.Call) -> Typed:
    """The smallest of the numbers: `min(me.coins, 3)`."""
    return _fold_numbers(env, e, "min")


@function("max(a, ...)")
def largest(env: Env, e: syntax.Call) -> Typed:
    """The largest of the numbers: `max(0, old - new)`."""
    return _fold_numbers(env, e, "max")


def _fold_numbers(env: Env, e: syntax.Call, operator: ir.BinaryWord) -> Typed:
    parts = [expressions.number(env, a) for a in e.arguments]
    pick = min if operator == "min" else max
    code = parts[0].code
    for part in parts[1:]:
        code = binary(operator, code, part.code)
    return Typed(
        whole(
            pick(range_of(p.type).low for p in parts), pick(range_of(p.type).high for p in parts)
        ),
        code,
    )


@function("abs(n)")
def absolute(env: Env, e: syntax.Call) -> Typed:
    """The number without its sign: `abs(a.x - b.x)`."""
    n = expressions.number(env, e.arguments[0])
    low, high = range_of(n.type).low, range_of(n.type).high
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return Typed(
        whole(least, max(abs(low), abs(high))),
        binary("max", n.code, arithmetic(env.c, "-", Typed(whole(0, 0), ZERO), n, e.span).code),
    )


@function("mod(a, b)")
def modulo(env: Env, e: syntax.Call) -> Typed:
    """The remainder when `a` is divided by `b`, never negative for positive `b`: `mod(n + 1, 4)`."""
    a, b = (expressions.number(env, x) for x in e.arguments)
    if range_of(b.type).low <= 0:
        return env.c.bad(
            "out-of-range",
            "the second number of `mod` must be above 0",
            e.arguments[1].span,
            help="write a number of 1 or more, such as `mod(n, 4)`",
        )
    return Typed(whole(0, range_of(b.type).high - 1), binary("%", a.code, b.code))


@function("div_up(a, b)")
def divide_up(env: Env, e: syntax.Call) -> Typed:
    """The quotient, rounded up: `div_up(7, 2)` is 4."""
    a, b = (expressions.number(env, x) for x in e.arguments)
    return operators.divide(env, a, b, e.arguments[1], up=True)


@function("openly(x)")
def openly(env: Env, e: syntax.Call) -> Typed:
    """The value of x: `if openly(guess in rival.hand)`. The rules reveal x on purpose, although it may be hidden."""
    x = places.value_or_count(env, e.arguments[0])
    if not env.c.model.config.marks_openly or not x.type.known:
        return x
    helper = routine(env.c, "same", f"openly {e.span.source.name}:{e.span.start}")
    return Typed(x.type, ir.CallValue(helper, (x.code,)))


@function("sure(x)")
def sure(env: Env, e: syntax.Call) -> Typed:
    """The value of x: `sure(card.building)`. If x is nothing, a fault ends the match."""
    x = recursion.expression(env, e.arguments[0])
    if not x.type.known:
        return BAD
    if not x.type.opt:
        return x
    if isinstance(x.type, types.Nothing):
        return env.c.bad(
            "may-be-nothing",
            "this is always nothing",
            e.span,
            help="remove `sure( )`, or write a value that may be there",
        )
    fault = env.c.fault("nothing-there", f"`{e.arguments[0].span.text}` is nothing", e.span)
    helper = guard_routine(env.c, "sure", "x < 0", fault)
    return Typed(evolve(x.type, opt=False), ir.CallValue(helper, (x.code,)))
