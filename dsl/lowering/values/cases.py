"""Lowers expressions with several alternatives or parts: `if ... then ... else`, `by(...)` and list literals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help, write
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import Expr, between, binary, choice
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.emit.recursion import lowers
from rulewright.dsl.lowering.values import expressions, places
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type, describe, join, list_of, whole
from rulewright.dsl.tree import syntax

MOST_IN_A_TABLE = 4000

Label: TypeAlias = tuple[int, int]
"""A range of numbers to which a line of a table applies: the first number and the last."""


@lowers(syntax.IfElse)
def if_else(env: Env, e: syntax.IfElse, expect: Type | None) -> Typed:
    """Lower `if C then a else b`."""
    asked = expressions.condition(env, e.condition)
    yes, no = env.child(), env.child()
    yes.learn(asked.so)
    no.learn(asked.otherwise)
    if isinstance(asked.code, ir.Const):
        then = recursion.expression(yes, e.then, expect) if asked.code.value else None
        other = recursion.expression(no, e.otherwise, expect) if not asked.code.value else None
        chosen = then or other
        assert chosen is not None
        # the other alternative is lowered only to report its errors
        skipped = (
            recursion.expression(no, e.otherwise, expect or chosen.type)
            if then
            else recursion.expression(yes, e.then, expect or chosen.type)
        )
        del skipped
        return chosen
    then = recursion.expression(yes, e.then, expect)
    other = recursion.expression(no, e.otherwise, expect or types.member_of(then.type))
    if isinstance(then.type, types.Nothing) and expect is None:
        then = recursion.expression(yes, e.then, other.type)
    return _combine_sides(
        env,
        e,
        [(then, e.then), (other, e.otherwise)],
        lambda parts: choice(asked.code, parts[0], parts[1]),
    )


def _combine_sides(
    env: Env,
    e: syntax.Expression,
    sides: list[tuple[Typed, syntax.Expression]],
    make: Callable[[list[Expr]], Expr],
) -> Typed:
    """Return the expression that `make` builds from several alternatives. Its type is the common
    type of the alternatives.
    """
    if any(not side.type.known for side, _ in sides):
        return BAD
    unified: list[Typed] = []
    lists = any(isinstance(side.type, (types.Several, types.Empty)) for side, _ in sides)
    for side, place in sides:
        if isinstance(side.type, types.Tokens):
            unified.append(places.token_count(env, side, place))
        elif lists:
            unified.append(expressions.as_list(env, side, place))
        else:
            unified.append(side)
    type = unified[0].type
    for side in unified[1:]:
        if lists and (not isinstance(type, types.Several) or not type.of.known):
            type = side.type
            continue
        if lists and (not isinstance(side.type, types.Several) or not side.type.of.known):
            continue
        joined = join(type, side.type)
        if joined is None:
            return env.c.bad(
                "wrong-type",
                f"one side is {describe(type)}, but the other is {describe(side.type)}",
                e.span,
                help=f"write {describe(type)} on both sides, or {describe(side.type)} on both",
            )
        type = joined
    return Typed(type, make([side.code for side in unified]))


@lowers(syntax.By)
def by_cases(env: Env, e: syntax.By, expect: Type | None) -> Typed:
    """Lower `by(x: 1 then a, 2 or 3 then b, else c)`."""
    subject = places.value_or_count(env, e.subject)
    if not subject.type.known:
        return BAD
    if subject.type.opt:
        expressions.report_may_be_nothing(env, e.subject)
        return BAD
    if not isinstance(
        subject.type,
        (types.Number, types.Flag, types.Kind, types.Player, types.Direction, types.Action),
    ):
        return env.c.wrong_type(
            e.subject.span,
            "`by` looks up a number or a value of a kind",
            subject.type,
            "write the number or the value of a kind that decides, or `if C then A else B`",
        )
    sides: list[tuple[Typed, syntax.Expression]] = []
    labels: list[Label] = []
    for case in e.cases:
        label = _case_label(env, case, subject.type, labels)
        if label is None:
            continue
        labels.append(label)
        sides.append((recursion.expression(env, case.value, expect), case.value))
    values = env.c.model.ids_of(subject.type)
    if e.otherwise is not None:
        sides.append((recursion.expression(env, e.otherwise, expect), e.otherwise))
    elif _lacks_lines(env, e, subject.type, values, labels):
        return BAD
    if not sides:
        return BAD

    def make(parts: list[Expr]) -> Expr:
        found = _lookup_code(env, subject.code, values, labels, parts)
        if found is not None:
            return found
        code = parts[-1]
        for (low, high), part in reversed(list(zip(labels, parts[:-1], strict=False))):
            if low == high:
                test = binary("==", subject.code, ir.Const(low))
            else:
                test = between(ir.Const(low), subject.code, ir.Const(high))
            code = choice(test, part, code)
        return code

    return _combine_sides(env, e, sides, make)


def _case_label(env: Env, case: syntax.Case, type: Type, before: Sequence[Label]) -> Label | None:
    """Return the numbers to which a line of a table applies; None if they are not known before the game starts."""
    whatever = whole(-(2**31), 2**31 - 1)
    low = expressions.value_of_type(
        env, case.first, whatever if isinstance(type, types.Number) else type.surely()
    )
    high = low if case.last is None else expressions.value_of_type(env, case.last, whatever)
    if low.constant is None or high.constant is None:
        if low.type.known and high.type.known:
            env.c.problems.error(
                "wrong-type",
                "the labels of a table are fixed numbers or names",
                case.first.span,
                help="write a number, a range (`2..4`) or a name; for a computed value, use "
                "`if C then A else B`",
            )
        return None
    label = low.constant, high.constant
    if label[0] <= label[1] and next(_uncovered_numbers(*label, before), None) is None:
        env.c.problems.error(
            "unreachable-code",
            "an earlier line of this table already covers this",
            case.span,
            help="remove this line, or put it before the line that covers it",
        )
    return label


def _uncovered_numbers(low: int, high: int, labels: Iterable[Label]) -> Iterator[int]:
    """Yield the numbers from `low` to `high` that no label contains, in order.

    >>> list(_uncovered_numbers(1, 9, [(7, 8), (0, 2), (4, 4)]))
    [3, 5, 6, 9]
    """
    at = low
    for first, last in sorted(labels):
        if first <= last:
            yield from range(at, min(first - 1, high) + 1)
            at = max(at, last + 1)
    yield from range(at, high + 1)


FEW = 5
"""The maximum number of uncovered values that a message names."""


def _lacks_lines(
    env: Env, e: syntax.By, type: Type, values: Sequence[int], labels: Sequence[Label]
) -> bool:
    """Return whether a table without `else` lacks a line for some values. If so, report an error
    that names these values.
    """
    if not values:
        return False
    lost = _uncovered_numbers(values[0], values[-1], labels)
    missing = list(islice((value for value in lost if value in values), FEW + 1))
    if not missing:
        return False
    few = missing[:FEW]
    shown = ", ".join(map(str, few))
    if isinstance(type, types.Kind):
        kind = env.c.model.kinds.get(type.names[0])
        rows = kind.rows if kind is not None else env.c.model.values_of(type.names[0])
        shown = ", ".join(rows[value] for value in few)
    more = ", and for others" if len(missing) > FEW else ""
    env.c.problems.error(
        "wrong-arguments",
        f"this table has no line for {shown}{more}",
        e.span,
        help="add the missing lines, or a last line `else ...`",
    )
    return True


def _lookup_code(
    env: Env, code: Expr, values: Sequence[int], labels: Sequence[Label], parts: Sequence[Expr]
) -> Expr | None:
    """Return code for a table lookup if all results are constants and there are not too many; None otherwise.

    The last of `parts` is the result for all values that no label contains.
    """
    if not values or values[-1] - values[0] >= MOST_IN_A_TABLE:
        return None
    fixed = [part.value for part in parts if isinstance(part, ir.Const)]
    if len(fixed) < len(parts):
        return None
    listed: list[object] = []
    for value in range(values[0], values[-1] + 1):
        held = (n for n, (low, high) in enumerate(labels) if low <= value <= high)
        listed.append(fixed[next(held, len(fixed) - 1)])
    return ir.Table(env.c.table(listed), binary("-", code, ir.Const(values[0])))


def _one_list_help(e: syntax.ListOf, one: Type, other: Type) -> Help:
    """Return help for a list that contains several lists or zones although the author meant all
    their members as one list.
    """
    if not isinstance(one, types.Several) and not isinstance(other, types.Several):
        return f"write only {describe(one)}, or a list for each type"
    if len(e.items) != 2 or not isinstance(one, types.Several):
        return "join the lists: `A.joined(B)`; the brackets may also hold a single thing"
    return write(f"{e.items[0].span.text}.joined({e.items[1].span.text})")


@lowers(syntax.ListOf)
def written_list(env: Env, e: syntax.ListOf, expect: Type | None) -> Typed:
    """Lower `(a, b, c)`."""
    of: Type | None = None
    codes: list[Expr] = []
    ids: list[int] = []
    constants = True
    for item in e.items:
        wanted = expect.of if isinstance(expect, types.Several) else expect
        typed = places.value_or_count(env, item, wanted)
        if not typed.type.known:
            return BAD
        if typed.ids is not None and isinstance(typed.type, types.Several):
            codes.extend(ir.Const(i) for i in typed.ids)
            ids.extend(typed.ids)
            item_type: Type = typed.type.of
        else:
            codes.append(typed.code)
            item_type = typed.type
            if typed.constant is not None:
                ids.append(typed.constant)
            else:
                constants = False
        if of is None or isinstance(of, types.Nothing):
            of = item_type
        else:
            joined = join(of, item_type)
            if joined is None:
                return env.c.bad(
                    "wrong-type",
                    f"this list holds {describe(of)} and also {describe(item_type)}",
                    item.span,
                    help=_one_list_help(e, of, item_type),
                )
            of = joined
    assert of is not None
    made: Expr = ir.Const(tuple(ids)) if constants else ir.MakeList(tuple(codes))
    return Typed(list_of(of, len(codes), ordered=True), made)
