"""Lowers `roll`. Chance selects faces of dice, a number from a range, or a member of a list."""

from __future__ import annotations

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, binary
from rulewright.dsl.lowering.emit.core import BAD, Typed
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer, increment
from rulewright.dsl.lowering.steps import changing, condition_triggers, messages
from rulewright.dsl.lowering.values import expressions, places
from rulewright.dsl.model import types
from rulewright.dsl.model.types import (
    UNKNOWN,
    Type,
    describe,
    fits,
    item_of,
    length_of,
    range_of,
    whole,
)
from rulewright.dsl.tree import syntax


@writes(syntax.Roll)
def roll(w: Writer, ctx: Context, s: syntax.Roll) -> None:
    """Lower `roll 2 fate to x`, `roll x in 1..6` or `roll x in cards`."""
    env = ctx.env
    new_local = (
        isinstance(s.place, syntax.Word)
        and s.place.name not in env.scope
        and w.c.layout.of("", s.place.name) is None
    )
    value = _roll_dice(w, ctx, s) if s.die is not None else _roll_from(w, ctx, s)
    if value is None:
        return
    if new_local and isinstance(s.place, syntax.Word):
        variable = env.declare(s.place.name, value.type, s.place.span)
        if value.type.known:
            changing.assign_local(w, variable, value.code)
    elif value.type.known:
        _store_result(w, ctx, s, s.place, value)


def _roll_dice(w: Writer, ctx: Context, s: syntax.Roll) -> Typed | None:
    """Emit a roll of several dice, one after another, and return their sum; None for an unknown die."""
    env, c = ctx.env, w.c
    assert s.die is not None and s.count is not None
    faces = c.model.dice.get(s.die)
    if faces is None:
        c.problems.none_called("die", s.die, s.die_span or s.span, c.model.dice)
        return None
    count = expressions.number(env, s.count)
    top = max(0, range_of(count.type).high)
    type = whole(min(0, top * min(faces)), max(0, top * max(faces)))
    total, left, result = env.procedure.slot(), env.procedure.slot(), env.procedure.slot()
    w.emit(ir.SetLocal(total, ZERO), ir.SetLocal(left, count.code))
    site = ir.ChanceSite(w.number, result, "roll", None, 0, s.die, s.span, ir.Const(faces))
    face = ir.Table(c.table(faces), ir.Local(result))
    with w.loop(binary(">", ir.Local(left), ZERO)):
        w.chance(site, ir.Const(len(faces)))
        w.emit(ir.SetLocal(total, binary("+", ir.Local(total), face)), increment(left, -1))
    return Typed(type, ir.Local(total))


def _roll_from(w: Writer, ctx: Context, s: syntax.Roll) -> Typed:
    """Emit a roll for a number from a range or for a member of a list. All results are equally likely."""
    env = ctx.env
    assert s.source is not None
    source = recursion.expression(env, s.source)
    if not source.type.known:
        return BAD
    listed = expressions.members(env, source, s.source)
    result = env.procedure.slot()
    if isinstance(s.source, syntax.Binary) and s.source.operator == "..":
        return _roll_number(w, ctx, s, s.source, item_of(listed.type) or UNKNOWN, result)
    return _roll_member(w, ctx, s, listed, result)


def _roll_number(
    w: Writer, ctx: Context, s: syntax.Roll, source: syntax.Binary, type: Type, result: int
) -> Typed:
    low, high = (expressions.number(ctx.env, side) for side in (source.left, source.right))
    if range_of(low.type).high > range_of(high.type).low:
        _fail_if_empty(w, ctx, s, binary(">", low.code, high.code))
    fixed = low.constant
    site = ir.ChanceSite(
        w.number,
        result,
        "roll",
        w.c.domain(type) if fixed is not None else None,
        fixed or 0,
        _name_of(s),
        s.span,
        places.range_list(w.c, low.code, high.code) if fixed is None else None,
    )
    bound = binary("+", ONE, binary("-", high.code, low.code))
    w.chance(site, bound)
    return Typed(type, binary("+", low.code, ir.Local(result)))


def _roll_member(w: Writer, ctx: Context, s: syntax.Roll, listed: Typed, result: int) -> Typed:
    members, type = listed.code, item_of(listed.type) or UNKNOWN
    if isinstance(type, types.List):
        return w.c.bad(
            "not-storable",
            "one of a list of lists cannot be rolled for",
            s.span,
            help="roll its number, `roll n in 1..LISTS.size`, and take `LISTS.nth(n)`",
        )
    first: object = None  # for members with consecutive numbers
    if isinstance(members, ir.Const):
        assert isinstance(members.value, tuple)
        bound: Expr = ir.Const(len(members.value))
        first = members.value[0] if members.value else None
        if isinstance(first, int) and members.value != tuple(
            range(first, first + len(members.value))
        ):
            first = None
    else:
        capacity = max(1, length_of(listed.type))
        slot = ctx.env.procedure.slot(capacity + 1)
        kept = expressions.as_frame_list(
            ctx.env, listed, s.source or s.place, "the list of this roll"
        )
        w.emit(ir.SetLocalList(slot, capacity, kept))
        members = ir.LocalList(slot)
        _fail_if_empty(w, ctx, s, binary("==", ir.Length(members), ZERO))
        bound = ir.Length(members)
    site = ir.ChanceSite(
        w.number,
        result,
        "random",
        w.c.domain(type) if type.known else None,
        first if isinstance(first, int) else 0,
        _name_of(s),
        s.span,
        None if isinstance(first, int) else members,
    )
    w.chance(site, bound)
    return Typed(type.surely(), ir.At(members, ir.Local(result)))


def _fail_if_empty(w: Writer, ctx: Context, s: syntax.Roll, empty: Expr) -> None:
    """Emit a test that makes a roll impossible if `empty` holds, because there is nothing to roll for."""
    messages.fail_if(w, evolve(ctx, outside=False), empty, s, "there is nothing to roll for")


def _name_of(s: syntax.Roll) -> str:
    return s.place.name if isinstance(s.place, (syntax.Word, syntax.Dot)) else ""


def _store_result(
    w: Writer, ctx: Context, s: syntax.Roll, place_e: syntax.Expression, value: Typed
) -> None:
    env, c = ctx.env, w.c
    if isinstance(place_e, syntax.Word) and place_e.name in env.scope:
        changing.assign_local(w, env.scope[place_e.name], value.code)
        return
    place = expressions.place(env, place_e)
    if not place.type.known:
        return
    if place.group is None or place.group.what != "state" or not isinstance(place.code, ir.Load):
        c.problems.error(
            "wrong-type",
            f"`{place_e.span.text}` is not a state that can keep a roll",
            place_e.span,
            help="roll for a name, and use it: `roll face in ...`, then `set` or `move` with `face`",
        )
        return
    place.group.written = True
    type = place.group.type
    if not fits(value.type, type) or (
        isinstance(type, types.Number)
        and (range_of(value.type).low < type.low or range_of(value.type).high > type.high)
    ):
        c.problems.error(
            "out-of-range" if isinstance(type, types.Number) else "wrong-type",
            f"`{place.group.name}` is {describe(type)}, but this rolls {describe(value.type)}",
            s.span,
            help=f"declare `{place.group.name}` as {describe(value.type)}, or roll values that fit it",
        )
        return
    w.emit(ir.Store(place.code.address, value.code))
    condition_triggers.after_step(w, ctx, s)
