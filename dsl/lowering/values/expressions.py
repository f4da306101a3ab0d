"""Lowers expressions of an expected type: conditions, numbers, single things and lists.

An error is reported once. The result is then `BAD`, or a substitute of the expected type.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help, one_of, write
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.emit import recursion, value_help
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    between,
    binary,
    choice,
    either,
    weight,
)
from rulewright.dsl.lowering.emit.core import BAD, Compiler, Env, Typed
from rulewright.dsl.lowering.emit.routines import guard_routine, routine
from rulewright.dsl.lowering.values import assuming, places
from rulewright.dsl.model import types
from rulewright.dsl.model.types import (
    FLAG,
    MOST,
    UNKNOWN,
    Type,
    describe,
    fits,
    is_wide,
    item_of,
    length_of,
    list_of,
    range_of,
    whole,
)
from rulewright.dsl.tree import syntax


def condition(
    env: Env, e: syntax.Expression, instead: Callable[[Typed], Help] | None = None
) -> Typed:
    """Lower a condition.

    If the value has another type, report an error, with the help that `instead` returns for the
    value. After the condition `if challenger` is lowered, the challenger counts as present in the block below it.
    """
    typed = recursion.expression(env, e, FLAG)
    if typed.type.known and not isinstance(typed.type, types.Flag):
        span, help = _condition_help(env, e, typed.type)
        own_help = instead(typed) if instead is not None else ""
        env.c.wrong_type(
            e.span if own_help else span,
            "a condition is expected here",
            typed.type,
            own_help or help,
        )
        return Typed(FLAG, ZERO, so=assuming.not_nothing(e, typed.type), e=e)
    return typed if typed.type.known else Typed(FLAG, ZERO, e=e)


def _condition_help(env: Env, e: syntax.Expression, type: Type) -> tuple[Span, Help]:
    """For a value that is wrongly used as a condition, return the text to replace, and the help."""
    text, written = e.span.text, e.span.source.text
    is_not = written[: e.span.start].endswith("not ")
    span = Span(e.span.source, e.span.start - len("not "), e.span.end) if is_not else e.span
    if "\n" in text or len(text) > LONGEST_SHOWN:
        return e.span, "compare it with something: `is`, `>=`, `in`, `is not empty`"
    if isinstance(type, types.Nothing):
        return e.span, "write `yes` or `no`, or compare it: `x is nothing`"
    neither = _NEITHER.search(written, max(0, e.span.start - 80), e.span.start)
    if neither is not None and not isinstance(type, types.Flag):
        return span, write(f"{neither[1]} not in ({neither[2]}, {text})")
    if type.opt:
        return span, write(f"{text} is {'' if is_not else 'not '}nothing")
    if isinstance(type, types.Several):
        return span, write(f"{text} is {'' if is_not else 'not '}empty")
    if isinstance(type, types.Number):
        return span, write(f"{text} {'is 0' if is_not else '> 0'}")
    named = [
        name for name, known in env.scope.items() if known.type == type and name.isidentifier()
    ]
    others = [name for name in named if name not in (text, "me")]
    if isinstance(type, (types.Named, types.Player)) and others:
        return span, write(f"{others[-1]} is {'not ' if is_not else ''}{text}")
    # all others: there is no better help
    return e.span, "compare it with something: `is`, `>=`, `in`, `is not empty`"


_NEITHER: Final = re.compile(r"([a-z_][\w.]*(?:\([^()\n]*\))?) is not ([\w.]+) and not $")
LONGEST_SHOWN: Final = 60  # the maximum length of an expression that a help text repeats
NO_CONDITION: Final = Typed(FLAG, ZERO)
NO_NUMBER: Final = Typed(whole(0, 0), ZERO)
"""A substitute for a number that could not be lowered. Its error has already been reported."""


def _number_help(env: Env, type: Type, e: syntax.Expression) -> Help:
    """Return help for a value that is wrongly used as a number. It suggests numeric attributes of the value."""
    if isinstance(type, types.Several):
        return (
            write(f"{e.span.text}.size") + ", the number of them" if len(e.span.text) <= 30 else ""
        )
    if isinstance(type, types.Flag):
        asked = " ".join(e.span.text.split())
        what = "CONDITION" if len(asked) > LONGEST_SHOWN else asked
        return write(f"(if {what} then 1 else 0)")
    # all others: the numbers in their columns
    kinds = env.c.model.kinds_of(type) if isinstance(type, types.Named) else []
    columns = [
        n
        for kind in kinds
        for n, column in kind.columns.items()
        if isinstance(column.type, types.Number)
    ]
    if not columns or len(e.span.text) > 30:
        return ""
    named = [f"{e.span.text}.{n}" for n in dict.fromkeys(columns)]
    return "write " + one_of(named[:4]) + ", a number of it"


def number(env: Env, e: syntax.Expression) -> Typed:
    """Lower an integer. A place for tokens becomes the number of its tokens."""
    return as_number(env, recursion.expression(env, e), e)


def as_number(env: Env, typed: Typed, e: syntax.Expression) -> Typed:
    """Convert a value to an integer. If the value is not a number, report an error and return a substitute."""
    if isinstance(typed.type, types.Tokens):
        return places.token_count(env, typed, e)
    if not typed.type.known:
        return Typed(whole(0, 0), ZERO)
    if not isinstance(typed.type, types.Number):
        env.c.wrong_type(
            e.span,
            "a number is expected here",
            typed.type,
            _number_help(env, typed.type, e)
            or value_help.wrong_type_help(env.c.model, whole(0, 9), typed.type, e.span.text),
        )
        return NO_NUMBER
    if typed.type.opt:
        report_may_be_nothing(env, e)
        return Typed(typed.type.surely(), typed.code)
    return typed


def as_stored(env: Env, found: Typed, e: syntax.Expression, wanted: Type | None) -> Typed:
    """Convert a value to the form in which a local name stores it.

    A place for tokens becomes the number of its tokens, and a zone becomes the list of its pieces.
    """
    typed = places.tokens_as_number(env, found, e)
    is_listed = isinstance(typed.type, types.Zone) or isinstance(wanted, types.List)
    return as_list(env, typed, e) if is_listed else typed


def place(env: Env, e: syntax.Expression) -> Typed:
    """Lower a place that a step changes. Report an error if the owner of the place may be nothing."""
    found = recursion.expression(env, e)
    owner = found.of(e.subject) if isinstance(e, syntax.Dot) else None
    if owner is None or not owner.type.opt or isinstance(owner.type, types.Nothing):
        return found
    assert isinstance(e, syntax.Dot)
    report_may_be_nothing(env, e.subject)
    return BAD


def report_no_copies(env: Env, e: syntax.Expression) -> None:
    """Report an error if a copy of a row is needed, but the row has no copies in this variant."""
    env.c.problems.error(
        "unknown-name",
        f"there is no copy of `{e.span.text}` with these players and options",
        e.span,
        help="put this under `if` with the condition under which there are some",
    )


def report_may_be_nothing(env: Env, e: syntax.Expression) -> None:
    """Report an error for a required value that may be nothing, and name the part of the expression
    that may be nothing.
    """
    shown = e.span.text if len(e.span.text) < 40 else "this"
    first = e
    while isinstance(first, syntax.Dot) and recursion.expression(env, first.subject).type.opt:
        first = first.subject
    if first is e or shown == "this":
        test, known = "is not nothing", f"sure({shown})"
        message = (
            f"`{shown}` may be nothing here" if shown != "this" else "this may be nothing here"
        )
    else:
        begun = first.span.text
        test, known = f"{begun} is not nothing", f"sure({begun}){shown.removeprefix(begun)}"
        message = f"`{begun}` may be nothing here, and so may `{shown}`"
    env.c.problems.error(
        "may-be-nothing",
        message,
        e.span,
        help=f"test it first with `{test}`, or " + write(known) + " if you know better",
    )


def value_of_type(env: Env, e: syntax.Expression, wanted: Type, what: str = "") -> Typed:
    """Lower a value of the wanted type. Report an error if the value may be nothing but the type
    does not allow nothing.
    """
    return as_type(env, recursion.expression(env, e, wanted), e, wanted, what)


def as_type(env: Env, typed: Typed, e: syntax.Expression, wanted: Type, what: str = "") -> Typed:
    """Convert a lowered value to the wanted type, with the same checks as `value_of_type`."""
    if not typed.type.known:
        return typed
    if isinstance(typed.type, types.Tokens) and isinstance(wanted, types.Number):
        typed = places.token_count(env, typed, e)
    if isinstance(typed.type, types.Zone) and wanted.is_thing:
        return env.c.bad(
            "wrong-type",
            f"{what or 'here'} one thing is expected, but this is {describe(typed.type)}".strip(),
            e.span,
            help=f"`{e.span.text}.top` is the one on top",
        )
    if typed.ids == () and wanted.is_thing:
        if wanted.opt:
            return Typed(wanted, NONE)
        report_no_copies(env, e)
        return BAD
    if typed.ids is not None and wanted.is_thing:
        return env.c.bad(
            "wrong-type",
            f"there are {len(typed.ids)} pieces called `{e.span.text}`: one is expected here",
            e.span,
            help=f"say which: `sure(first(x in ZONE where x is {e.span.text}))`, or with `.copy` in the condition",
        )
    if (
        typed.type.opt
        and not wanted.opt
        and not isinstance(typed.type, types.Nothing)
        and fits(typed.type.surely(), wanted)
    ):
        report_may_be_nothing(env, e)
        return evolve(typed, type=typed.type.surely())
    if not fits(typed.type, wanted):
        code = "may-be-nothing" if isinstance(typed.type, types.Nothing) else "wrong-type"
        return env.c.bad(
            code,
            f"{describe(wanted)} is expected here, but this is {describe(typed.type)}",
            e.span,
            help=_extreme_help(e, wanted)
            or value_help.wrong_type_help(env.c.model, wanted, typed.type, e.span.text),
        )
    if types.never_fits(typed.type, wanted):
        low, high = range_of(wanted).low, range_of(wanted).high
        env.c.problems.error(
            "out-of-range",
            f"{describe(typed.type)} never fits {low}..{high}",
            e.span,
            help=f"write a number from {low} to {high}, or a wider range where it is declared",
        )
    return typed


def report_outside(
    env: Env, what: str, wanted: Type, given: Type, span: Span, verb: str = "is"
) -> None:
    """Report an error for numbers that lie outside the range of the place that they go into."""
    range = range_of(wanted)
    numbers = "a number" if verb == "is" else "numbers"
    env.c.problems.error(
        "out-of-range",
        f"{what} {verb} {range.low}..{range.high}, but this is {describe(given)}",
        span,
        help=f"write {numbers} from {range.low} to {range.high}, or a wider range where {what} is declared",
    )


def _extreme_help(e: syntax.Expression, wanted: Type) -> Help:
    """Return help for `largest(p in players: p.points)` used where a player is needed, not a number of points."""
    if not isinstance(e, syntax.Query) or e.word not in ("largest", "smallest"):
        return ""
    if not wanted.is_thing or e.body is None or len(e.binders) != 1:
        return ""
    at = e.body.span.start - e.span.start
    members = e.span.text[len(e.word) + 1 : at].rstrip().removesuffix(":")
    turn = " lowest" if e.word == "smallest" else ""
    return write(f"first({members} by {e.body.span.text}{turn} then order)")


def checked_number(env: Env, typed: Typed, wanted: Type, e: syntax.Expression, what: str) -> Expr:
    """Return code that checks that a number is in a range. A number outside the range causes a fault during the match.

    If the type already shows that the number is in the range, the code contains no check.
    """
    if not isinstance(typed.type, types.Number) or not isinstance(wanted, types.Number):
        return typed.code
    if wanted.low <= typed.type.low and typed.type.high <= wanted.high:
        return typed.code
    if typed.type.opt and wanted.opt:
        return typed.code
    return in_range(env.c, typed.code, wanted, e.span, what)


def in_range(c: Compiler, code: Expr, wanted: types.Number, span: Span, what: str) -> Expr:
    """Return code that checks that a number is in the range of `wanted`.

    Any other number causes a fault during the match.
    """
    fault = c.fault("out-of-range", f"{what} must be in {wanted.low}..{wanted.high}", span)
    helper = guard_routine(
        c,
        f"range {wanted.low} {wanted.high}",
        "x < low or x > high",
        fault,
        low=wanted.low,
        high=wanted.high,
    )
    return ir.CallValue(helper, (code,))


def list_of_type(env: Env, e: syntax.Expression, wanted: types.List, what: str) -> Typed:
    """Lower an expression to a list of the wanted type. Check the types and ranges of the members,
    and the length of the list.
    """
    return as_list_of_type(env, recursion.expression(env, e, wanted), e, wanted, what)


def as_list_of_type(
    env: Env, found: Typed, e: syntax.Expression, wanted: types.List, what: str
) -> Typed:
    """Convert a lowered value to a list of the wanted type, with the same checks as `list_of_type`."""
    listed = as_list(env, found, e)
    of, item = item_of(wanted), item_of(listed.type)
    if of is None or item is None or not of.known or not item.known:
        return listed
    if not fits(listed.type, wanted):
        env.c.wrong_type(
            e.span,
            f"{describe(wanted)} is expected here",
            listed.type,
            value_help.wrong_type_help(env.c.model, wanted, listed.type, e.span.text),
        )
        return Typed(list_of(UNKNOWN, 0), ir.Const(()))
    if types.never_fits(item, of):
        report_outside(env, what, of, listed.type, e.span, verb="holds")
    code = _checked_items(env, listed, of, e, what)
    if not wanted.ordered and isinstance(listed.type, types.List) and listed.type.ordered:
        code = ir.CallValue(routine(env.c, "each once"), (code,))
    return evolve(listed, code=checked_list(env, evolve(listed, code=code), wanted, e, what))


def _checked_items(env: Env, listed: Typed, of: Type, e: syntax.Expression, what: str) -> Expr:
    """Return code that checks that all numbers of a list are in a range. Any other number causes a
    fault during the match.

    The code contains no check if the type already shows that all numbers are in the range.
    """
    item = item_of(listed.type)
    if (
        item is None
        or not isinstance(item, types.Number)
        or (range_of(of).low <= item.low and item.high <= range_of(of).high)
    ):
        return listed.code
    return _items_in_range(env.c, listed.code, of, e, what)


def as_frame_list(env: Env, listed: Typed, e: syntax.Expression, what: str) -> Expr:
    """Return code for a list that a frame stores during a decision.

    A number that does not fit into a cell of the frame causes a fault.
    """
    item = item_of(listed.type)
    if item is None or not is_wide(item) or not env.procedure.suspending:
        return listed.code
    return _items_in_range(env.c, listed.code, whole(-MOST, MOST), e, what)


def _items_in_range(c: Compiler, code: Expr, of: Type, e: syntax.Expression, what: str) -> Expr:
    fault = c.fault(
        "out-of-range", f"{what} holds numbers in {range_of(of).low}..{range_of(of).high}", e.span
    )
    helper = routine(
        c,
        "items",
        f"items {range_of(of).low} {range_of(of).high} {fault}",
        low=range_of(of).low,
        high=range_of(of).high,
        fault=fault,
    )
    return ir.CallValue(helper, (code,))


def checked_list(
    env: Env, typed: Typed, wanted: types.List, e: syntax.Expression, what: str
) -> Expr:
    """Return code that checks that a list is not longer than its maximum length. A longer list
    causes a fault during the match.

    The code contains no check if the type already shows that the list is short enough.
    """
    if length_of(typed.type) <= wanted.length:
        return typed.code
    c = env.c
    fault = c.fault("out-of-range", f"{what} holds {wanted.length} at most", e.span)
    helper = guard_routine(
        c, f"at most {wanted.length}", "len(x) > most", fault, most=wanted.length
    )
    return ir.CallValue(helper, (typed.code,))


def as_list(env: Env, typed: Typed, e: syntax.Expression) -> Typed:
    """Convert a value to a list.

    A zone becomes the list of its pieces in order, and a single thing becomes a list with one
    member.
    """
    t = typed.type
    if not t.known:
        return Typed(list_of(UNKNOWN, 0), ir.Const(()))
    if isinstance(t, types.List):
        return typed
    if isinstance(t, types.Empty):
        return Typed(list_of(UNKNOWN, 0), ir.Const(()))
    if isinstance(t, types.Zone):
        return places.zone_list(env, typed)
    if t.is_thing or isinstance(t, types.Number):
        made: Expr = ir.MakeList((typed.code,))
        if t.opt:
            made = choice(binary("<", typed.code, ZERO), ir.Const(()), made)
        return Typed(list_of(t.surely(), 1, ordered=True), made)
    # all others: they are reported
    env.c.wrong_type(
        e.span,
        "several things are expected here",
        t,
        "write a zone, a list (`list(x in ... where ...)`), a range (`1..6`), a kind or `players`",
    )
    return Typed(list_of(UNKNOWN, 0), ir.Const(()))


def members(env: Env, typed: Typed, e: syntax.Expression) -> Typed:
    """Return the list of members to iterate over.

    Report an error for a single number: the author probably means a range.
    """
    if isinstance(typed.type, types.Number):
        env.c.problems.error(
            "wrong-type",
            f"`{e.span.text}` is a single number: there is nothing to go through",
            e.span,
            help=write(f"{_range_up_to(e)}"),
        )
    return as_list(env, typed, e)


def _range_up_to(e: syntax.Expression) -> str:
    match e:
        case syntax.Binary(operator="-", left=syntax.Number(value=low), right=syntax.Number()):
            return f"{low}..{e.right.span.text}"
        case _:
            return f"1..{e.span.text}"


def type_test(env: Env, value: Typed, type: Type) -> Expr:
    """Return code that tests whether a thing belongs to one of the kinds in a type."""
    if isinstance(type, (types.Piece, types.Space)):
        ranges = sorted(k.bounds for k in env.c.model.kinds_of(type) if k.is_there)
        merged: list[tuple[int, int]] = []
        for low, high in ranges:
            if merged and merged[-1][1] + 1 == low:
                merged[-1] = (merged[-1][0], high)
            else:
                merged.append((low, high))
        if set(value.type.names) <= set(type.names):
            return binary(">=", value.code, ZERO) if value.type.opt else ONE
        if len(merged) > 1 and weight(value.code) > 3:
            ids = tuple(env.c.model.ids_of(type))
            return ir.Has(ir.Const(ids), value.code)
        code: Expr = ZERO
        for low, high in merged:
            code = either(code, between(ir.Const(low), value.code, ir.Const(high)))
        return code
    return binary(">=", value.code, ZERO) if value.type.opt else ONE
