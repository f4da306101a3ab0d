"""Expressions made of several: `if ... then ... else`, `by(...)` and lists that are written out."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import ir, syntax
from rulewright.dsl.lowering import assuming, attributes, expressions, operators
from rulewright.dsl.lowering.core import (
    BAD,
    Env,
    Expr,
    Typed,
    binary,
    both,
    choice,
    weight,
)
from rulewright.dsl.typesystem import (
    Type,
    describe,
    join,
    list_of,
    whole,
)


def if_else(env: Env, e: syntax.IfElse, expect: Type | None) -> Typed:
    """`if C then a else b`"""
    asked = expressions.condition(env, e.condition)
    yes, no = env.child(), env.child()
    assuming.assume(yes, e.condition, truth=True)
    assuming.assume(no, e.condition, truth=False)
    if isinstance(asked, ir.Const):
        then = expressions.expression(yes, e.then, expect) if asked.value else None
        other = expressions.expression(no, e.otherwise, expect) if not asked.value else None
        chosen = then or other
        assert chosen is not None
        # the other side is looked at for its own mistakes only
        skipped = (
            expressions.expression(no, e.otherwise, expect or chosen.type)
            if then
            else expressions.expression(yes, e.then, expect or chosen.type)
        )
        del skipped
        return chosen
    then = expressions.expression(yes, e.then, expect)
    other = expressions.expression(no, e.otherwise, expect or operators.member_of(then.type))
    if then.type.tag == "nothing" and expect is None:
        then = expressions.expression(yes, e.then, other.type)
    return _joined(
        env,
        e,
        [(then, e.then), (other, e.otherwise)],
        lambda parts: choice(asked, parts[0], parts[1]),
    )


def _joined(
    env: Env,
    e: syntax.Expression,
    sides: list[tuple[Typed, syntax.Expression]],
    make: Callable[[list[Expr]], Expr],
) -> Typed:
    """One value out of several: their common type."""
    if any(not side.type.known for side, _ in sides):
        return BAD
    unified: list[Typed] = []
    lists = any(side.type.tag in ("list", "zone", "empty") for side, _ in sides)
    for side, place in sides:
        if side.type.tag == "tokens":
            unified.append(attributes.token_count(env, side, place))
        elif lists:
            unified.append(expressions.as_list(env, side, place))
        else:
            unified.append(side)
    type = unified[0].type
    for side in unified[1:]:
        if lists and (type.of is None or not type.of.known):
            type = side.type
            continue
        if lists and (side.type.of is None or not side.type.of.known):
            continue
        joined = join(type, side.type)
        if joined is None:
            env.c.problems.error(
                "wrong-type",
                f"one side is {describe(type)}, the other {describe(side.type)}",
                e.span,
            )
            return BAD
        type = joined
    return Typed(type, make([side.code for side in unified]))


def by_cases(env: Env, e: syntax.By, expect: Type | None) -> Typed:
    """`by(x: 1 then a, 2 or 3 then b, else c)`"""
    subject = expressions.expression(env, e.subject)
    if subject.type.tag == "tokens":
        subject = attributes.token_count(env, subject, e.subject)
    if not subject.type.known:
        return BAD
    if subject.type.opt:
        expressions.may_be_nothing(env, e.subject)
        return BAD
    if subject.type.tag not in ("int", "flag", "kind", "player", "direction", "action"):
        env.c.problems.error(
            "wrong-type",
            f"`by` looks up a number or a value of a kind, this is {describe(subject.type)}",
            e.subject.span,
        )
        return BAD
    covered: set[int] = set()
    wanted = (
        set(env.c.world.ids_of(subject.type))
        if subject.type.high - subject.type.low < 100_000
        else set()
    )
    sides: list[tuple[Typed, syntax.Expression]] = []
    tests: list[tuple[int, int]] = []
    for case in e.cases:
        low = expressions.something(
            env,
            case.first,
            subject.type.surely() if subject.type.tag != "int" else whole(-(2**31), 2**31 - 1),
        )
        high = (
            low
            if case.last is None
            else expressions.something(env, case.last, whole(-(2**31), 2**31 - 1))
        )
        if low.constant is None or high.constant is None:
            if low.type.known and high.type.known:
                env.c.problems.error(
                    "wrong-type",
                    "the labels of a table are fixed numbers or names",
                    case.first.span,
                )
            continue
        if subject.type.tag == "int" and high.constant - low.constant > 100_000:
            label = set()
        else:
            label = set(range(low.constant, high.constant + 1))
        if label and label <= covered:
            env.c.problems.error(
                "unreachable-code", "an earlier line of this table already covers this", case.span
            )
        covered |= label
        tests.append((low.constant, high.constant))
        sides.append((expressions.expression(env, case.value, expect), case.value))
    if e.otherwise is not None:
        sides.append((expressions.expression(env, e.otherwise, expect), e.otherwise))
    elif wanted - covered:
        missing = sorted(wanted - covered)
        shown = ", ".join(str(m) for m in missing[:5])
        if subject.type.tag == "kind":
            kind = env.c.world.kinds.get(subject.type.names[0])
            rows = (
                kind.rows
                if kind is not None
                else env.c.world.options.get(subject.type.names[0], ())
            )
            shown = ", ".join(rows[m] for m in missing[:5])
        env.c.problems.error(
            "wrong-arguments",
            f"this table has no line for {shown}",
            e.span,
            help="add the missing lines, or a last line `else ...`",
        )
        return BAD
    if not sides or len(sides) < len(tests):
        return BAD

    small = weight(subject.code) <= 6

    def make(parts: list[Expr]) -> Expr:
        code = parts[-1]
        ends = parts[:-1]
        used = tests if e.otherwise is not None else tests[:-1]
        if (
            all(isinstance(p, ir.Const) for p in parts)
            and wanted
            and max(wanted) - min(wanted) < 4000
        ):
            low = min(wanted)
            listed: list[object] = []
            for value in range(low, max(wanted) + 1):
                chosen = parts[-1]
                for (a, b), part in zip(tests, parts, strict=False):
                    if a <= value <= b:
                        chosen = part
                        break
                assert isinstance(chosen, ir.Const)
                listed.append(chosen.value)
            return ir.Table(env.c.table(listed), binary("-", subject.code, ir.Const(low)))
        for (a, b), part in reversed(list(zip(used, ends, strict=True))):
            if a == b:
                test = binary("==", subject.code, ir.Const(a))
            else:
                test = both(
                    binary("<=", ir.Const(a), subject.code), binary("<=", subject.code, ir.Const(b))
                )
            code = choice(test, part, code)
        return code

    del small
    return _joined(env, e, sides, make)


def written_list(env: Env, e: syntax.ListOf, expect: Type | None) -> Typed:
    """`(a, b, c)`"""
    of: Type | None = None
    codes: list[Expr] = []
    ids: list[int] = []
    constants = True
    for item in e.items:
        typed = expressions.expression(
            env, item, expect.of if expect is not None and expect.of is not None else expect
        )
        if typed.type.tag == "tokens":
            typed = attributes.token_count(env, typed, item)
        if not typed.type.known:
            return BAD
        if typed.ids is not None and typed.type.of is not None:
            codes.extend(ir.Const(i) for i in typed.ids)
            ids.extend(typed.ids)
            item_type = typed.type.of
        else:
            codes.append(typed.code)
            item_type = typed.type
            if typed.constant is not None:
                ids.append(typed.constant)
            else:
                constants = False
        if of is None or of.tag == "nothing":
            of = item_type
        else:
            joined = join(of, item_type)
            if joined is None:
                env.c.problems.error(
                    "wrong-type",
                    f"this list holds {describe(of)}, and then {describe(item_type)}",
                    item.span,
                )
                return BAD
            of = joined
    assert of is not None
    made: Expr = ir.Const(tuple(ids)) if constants else ir.MakeList(tuple(codes))
    return Typed(list_of(of, len(codes), ordered=True), made)
