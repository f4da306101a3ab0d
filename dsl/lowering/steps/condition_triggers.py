"""Lowers `whenever` triggers: the conditions and numbers that they watch, and the checks after a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Final

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    both,
    either,
    load,
)
from rulewright.dsl.lowering.emit.core import (
    Compiler,
    Env,
    Procedure,
    Rules,
    Typed,
    Watched,
    new_env,
)
from rulewright.dsl.lowering.emit.writer import Context, Writer, start_writer
from rulewright.dsl.lowering.steps.call_triggers import called_procedure
from rulewright.dsl.lowering.values import expressions, iterating, powers, queries
from rulewright.dsl.model import types
from rulewright.dsl.model.types import (
    FLAG,
    MOST,
    PLAYER,
    UNKNOWN,
    Type,
    is_wide,
    item_of,
    range_of,
    whole,
)
from rulewright.dsl.tree import declared, syntax

ABSENT: Final = ir.Const(-MOST - 1)
"""The value stored for a watched number while its power is absent. Every number of a game is larger."""


def after_step(
    w: Writer, ctx: Context, s: syntax.Statement, only_if: Mapping[int, Expr] | None = None
) -> None:
    """Discard the facts that a step may have changed, and emit checks for the triggers that watch these facts."""
    ctx.env.forget(w.a.changes_of(s))
    if not ctx.at_once:
        check_watchers(w, ctx, w.a.watchers_of(s), only_if)


def check_watchers(
    w: Writer, ctx: Context, watchers: Iterable[int], only_if: Mapping[int, Expr] | None = None
) -> None:
    """Emit checks for the triggers in `watchers` after a change.

    `only_if` maps a trigger to code that tests whether the change can affect the trigger. A trigger
    that is not in the map is always checked.
    """
    for n in watchers:
        suspending, number = checker(w.rules, n)
        me = ctx.env.scope["me"].read() if "me" in ctx.env.scope else NONE
        test = ONE if only_if is None else only_if.get(n, ONE)
        if suspending:
            test = both(test, ir.CallValue(_change_tester(w.rules, n), ()))
        with w.when(test, cut=suspending):
            w.call_any((suspending, number), (me,))


def before_leaving(
    w: Writer, ctx: Context, s: syntax.Move, amount: Typed | None
) -> dict[int, Expr]:
    """Return a test for each trigger that a move affects only through the zone that the piece leaves.

    A test succeeds if the trigger watches this zone. The step does not name the zone, so emit steps
    that save it in a local before the move.
    """
    c = w.c
    is_piece = amount is not None and isinstance(amount.type, types.Piece)
    if ctx.at_once or s.source is not None or amount is None or not is_piece or not c.is_run:
        return {}
    entered, left = w.a.entered_by(s), w.a.left_by(s)
    concerned: dict[int, Set[str]] = {}
    for n in w.a.triggers_after(frozenset(left)):
        _, _, reads = w.a.watchers[n]
        if not reads & entered:
            concerned[n] = reads & left
    if not concerned:
        return {}
    zone = w.procedure.slot()
    piece = w.procedure.slot()
    lies = ir.Choice(
        binary("<", ir.Local(piece), ZERO), NONE, load(c.layout.zone_of, ir.Local(piece))
    )
    w.emit(ir.SetLocal(piece, amount.code), ir.SetLocal(zone, lies), ir.SetLocal(piece, ZERO))
    return {n: _name_test(c, ir.Local(zone), names) for n, names in concerned.items()}


def _name_test(c: Compiler, zone: Expr, names: Set[str]) -> Expr:
    """Return code that tests whether a zone has one of these names."""
    found: Expr = ZERO
    for group in c.layout.groups:
        if group.what == "zone" and group.name in names:
            above = group.base + group.per_owner * group.owner.places
            here = both(
                binary("<=", ir.Const(group.base), zone), binary("<", zone, ir.Const(above))
            )
            found = either(found, here)
    return found


def checker(rules: Rules, n: int) -> tuple[bool, int]:
    """Return whether the procedure that checks a watched condition suspends, and the number of this procedure.

    If the condition or number has changed, the procedure runs the body of the trigger.
    """
    suspending = rules.a.bodies[f"trigger {n}"].suspends
    if n not in rules.checked:
        rules.checked[n] = rules.reserve() if suspending else rules.c.reserve_plain()
        _write_checker(rules, n, suspending)
    return suspending, rules.checked[n]


def watched_condition(rules: Rules, n: int) -> Watched:
    """Return the compiled form of a watched condition, with its instances and their shadow cells."""
    c = rules.c
    known = c.watched.get(n)
    if known is None:
        trigger, power, _ = rules.a.watchers[n]
        known = (
            _compile_condition(c, trigger)
            if power is None
            else _compile_in_power(c, trigger, power)
        )
        c.watched[n] = known
    return known


def _compile_condition(c: Compiler, trigger: declared.Whenever) -> Watched:
    """Compile a condition that is watched for each member of a source, or once if the trigger has no source."""
    procedure = Procedure("instances", suspending=False)
    env = new_env(c, procedure)
    type: Type = whole(0, 0)
    members: Expr = ir.Const((0,))
    if trigger.binder is not None:
        query = syntax.Query(trigger.binder.span, "list", (trigger.binder,))
        listed = queries.query(env, query, None)
        type = item_of(listed.type) or UNKNOWN
        members = listed.code if listed.type.known else ir.Const(())
    instances, holds = c.reserve_plain(), c.reserve_plain()
    c.put_plain(instances, procedure, 0, [ir.Return(members)])
    low, width = _index_range(c, type, trigger, 1)
    test = Procedure("holds", suspending=False)
    env = new_env(c, test)
    slot = test.slot()
    if trigger.binder is not None:
        env.declare(trigger.binder.name, type, trigger.binder.name_span, slot=slot)
    value = _lower_watched(c, env, trigger)
    c.put_plain(holds, test, 1, [ir.Return(value.code)], trigger.span)
    number = None if trigger.change is None else value.type
    first = c.layout.take(width)
    return Watched(instances, holds, type, low, width, first, number)


def _compile_in_power(c: Compiler, trigger: declared.Whenever, power: declared.Power) -> Watched:
    """Compile a condition in a power.

    The condition is watched for each player who may have the card, and for each thing in the range
    of the source. The index of an instance is `player * width + thing - low`. If the card is absent
    or the thing is not in the source, the condition does not hold, and a watched number is ABSENT.
    """
    test = Procedure("holds", suspending=False)
    env = new_env(c, test)
    instance, player, thing = test.slot(), test.slot(), test.slot()
    holder = powers.owner_name(env, power)
    pairs: list[tuple[Expr, Type, syntax.Expression]] = []
    if holder is not None:
        pairs.append((ir.Local(player), PLAYER, syntax.Word(power.name_span, holder)))
    type: Type = whole(0, 0)
    number: Type | None = None

    def value_steps(at: Env) -> Stmts:
        nonlocal number
        value = _lower_watched(c, at, trigger)
        number = None if trigger.change is None else value.type
        return [ir.Return(value.code)]

    def each(at: Env) -> Stmts:
        nonlocal type
        assert trigger.binder is not None
        variable = at.scope[trigger.binder.name]
        type = variable.type
        return [ir.If(binary("==", variable.read(), ir.Local(thing)), (*value_steps(at),))]

    def instance_steps(at: Env) -> Stmts:
        return (
            value_steps(at)
            if trigger.binder is None
            else iterating.iterate(at, trigger.binder, each)
        )

    absent = ZERO if trigger.change is None else ABSENT
    body = [*powers.bind_power(c, env, power, pairs, None, instance_steps), ir.Return(absent)]
    owners = 1 if holder is None else len(c.model.seats)
    low, width = _index_range(c, type, trigger, owners)
    parts: Stmts = [
        ir.SetLocal(player, binary("//", ir.Local(instance), ir.Const(width))),
        ir.SetLocal(
            thing, binary("+", binary("%", ir.Local(instance), ir.Const(width)), ir.Const(low))
        ),
    ]
    instances, holds = c.reserve_plain(), c.reserve_plain()
    c.put_plain(holds, test, 1, [*parts, *body], trigger.span)
    cells = owners * width
    listing = Procedure("instances", suspending=False)
    c.put_plain(instances, listing, 0, [ir.Return(ir.Const(tuple(range(cells))))])
    return Watched(
        instances, holds, type, 0, cells, c.layout.take(cells), number, things=(low, width)
    )


def _index_range(
    c: Compiler, type: Type, trigger: declared.Whenever, owners: int
) -> tuple[int, int]:
    """Return the lowest index of the watched things, and the size of the range from the lowest index to the highest."""
    ids = list(c.model.ids_of(type)) or [0]
    low, width = min(ids), max(ids) - min(ids) + 1
    if owners * width > 20_000:
        c.problems.error(
            "too-many-options",
            "this watches too many things at once",
            trigger.span,
            help="watch something else, and go through the things below it with `for each`",
        )
        width = 1
    return low, width


def _lower_watched(c: Compiler, env: Env, trigger: declared.Whenever) -> Typed:
    """Lower the watched condition or number. Code for a number checks that the number fits into its shadow cell."""
    if trigger.change is None:
        code = expressions.condition(env, trigger.condition).code
        return Typed(FLAG, ir.Choice(code, ONE, ZERO) if not isinstance(code, ir.Const) else code)
    number = expressions.number(env, trigger.condition)
    if not is_wide(number.type):
        return number
    what = f"`{trigger.condition.span.text}`"
    code = expressions.in_range(c, number.code, whole(-MOST, MOST), trigger.condition.span, what)
    return Typed(number.type, code)


def _checked_change(c: Compiler, look: Watched, trigger: declared.Whenever, code: Expr) -> Expr:
    """Given `code` that computes the change of a watched number, return it with a check that the
    change fits into a cell.

    If every possible change fits, return `code` unchanged.
    """
    if look.number is None or range_of(look.number).high - range_of(look.number).low <= MOST:
        return code
    what = f"the change of `{trigger.condition.span.text}`"
    return expressions.in_range(c, code, whole(-MOST, MOST), trigger.condition.span, what)


def _change_tester(rules: Rules, n: int) -> int:
    """Return the number of a procedure that tests whether any instance of a watched condition has changed.

    Usually no instance has changed. Then the slower procedure, which checks each instance, is not called.
    """
    c, look = rules.c, watched_condition(rules, n)
    if look.turned is None:
        trigger = rules.a.watchers[n][0]
        procedure = Procedure("turned", suspending=False)
        slot = procedure.slot()
        alone = c.plain[look.instances]
        is_one = alone is not None and alone.body == (ir.Return(ir.Const((0,))),)
        x: Expr = ZERO if is_one else ir.Local(slot)
        shadow = load(look.first - look.low, x)
        value = ir.CallValue(look.holds, (x,))
        new: Expr
        if trigger.change is not None:
            new = binary("!=", value, shadow)
        else:
            new = ir.Choice(value, binary("==", shadow, ZERO), binary("==", shadow, ONE))
        awake = load(rules.awake)
        body: Stmts
        if is_one:
            body = [ir.Return(ir.And(awake, new))]
        else:
            turn = (ir.If(new, (ir.Return(ONE),)),)
            turns = ir.ForEach(slot, ir.CallValue(look.instances, ()), turn)
            body = [ir.If(awake, (turns,)), ir.Return(ZERO)]
        look.turned = c.reserve_plain()
        c.put_plain(look.turned, procedure, 0, body, trigger.span)
    return look.turned


def _write_checker(rules: Rules, n: int, suspending: bool) -> None:
    trigger, power, _ = rules.a.watchers[n]
    look = watched_condition(rules, n)
    w = start_writer(rules, f"watch line {trigger.span.line}", suspending, None, rules.checked[n])
    me, slot, now = (w.procedure.slot() for _ in range(3))
    x, value = ir.Local(slot), ir.CallValue(look.holds, (ir.Local(slot),))
    shadow = binary("+", ir.Const(look.first), binary("-", x, ir.Const(look.low)))
    given: tuple[Expr, ...] = (ir.Local(me),)
    if power is not None:
        low, width = look.things
        if powers.owner_name(new_env(rules.c, w.procedure), power) is not None:
            given += (binary("//", x, ir.Const(width)),)
        if trigger.binder is not None:
            given += (binary("+", binary("%", x, ir.Const(width)), ir.Const(low)),)
    elif trigger.binder is not None:
        given += (x,)
    body = called_procedure(rules, f"trigger {n}")
    instances = ir.CallValue(look.instances, ())
    with (
        w.when(load(rules.awake), cut=suspending),
        w.each(slot, instances, look.cells, cut=suspending),
    ):
        w.emit(ir.SetLocal(now, value))
        if trigger.change is not None:
            change = _checked_change(
                rules.c, look, trigger, ir.Binary("-", ir.Local(now), ir.Load(shadow))
            )
            if power is not None:
                gone = either(
                    binary("==", ir.Local(now), ABSENT), binary("==", ir.Load(shadow), ABSENT)
                )
                change = ir.Choice(gone, ZERO, change)
            d = w.procedure.slot()
            w.emit(ir.SetLocal(d, change), ir.Store(shadow, ir.Local(now)))
            with w.when(ir.Local(d), cut=suspending):
                w.call_any(body, (*given, ir.Local(d)))
        else:
            was_true = ir.And(ir.Not(ir.Local(now)), binary("==", ir.Load(shadow), ONE))
            w.emit(ir.If(was_true, (ir.Store(shadow, ZERO),)))
            is_new = ir.And(ir.Local(now), binary("==", ir.Load(shadow), ZERO))
            with w.when(is_new, cut=suspending):
                w.emit(ir.Store(shadow, ir.Const(2)))
                w.call_any(body, given)
                w.emit(ir.Store(shadow, value))
    w.finish(1, trigger.span)


def trigger_names(rules: Rules, n: int) -> list[tuple[str, Type]]:
    """Return the names that the body of a trigger receives as arguments, each with its type."""
    trigger, power, _ = rules.a.watchers[n]
    look = watched_condition(rules, n)
    names: list[tuple[str, Type]] = []
    if power is not None:
        owner = powers.owner_name(new_env(rules.c, Procedure("", suspending=False)), power)
        if owner is not None:
            names.append((owner, PLAYER))
    if trigger.binder is not None:
        names.append((trigger.binder.name, look.type))
    if trigger.change is not None:
        names.append((trigger.change.name, whole(-(2**31) + 1, 2**31 - 1)))
    return names


def begin_watching(w: Writer) -> None:
    """Emit steps that run after setup: they store the values of all watched conditions and turn the triggers on."""
    rules = w.rules
    for n, _ in enumerate(rules.a.watchers):
        look = watched_condition(rules, n)
        x = w.procedure.slot()
        shadow = binary("+", ir.Const(look.first), binary("-", ir.Local(x), ir.Const(look.low)))
        w.emit(
            ir.ForEach(
                x,
                ir.CallValue(look.instances, ()),
                (ir.Store(shadow, ir.CallValue(look.holds, (ir.Local(x),))),),
            )
        )
    if rules.a.watchers or rules.a.move_triggers:
        w.emit(ir.Store(ir.Const(rules.awake), ONE))
