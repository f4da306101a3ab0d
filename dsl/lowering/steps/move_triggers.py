"""Lowers triggers on moves: steps that run when something enters a place or leaves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    binary,
    both,
    either,
    load,
)
from rulewright.dsl.lowering.emit.core import (
    Compiler,
    Procedure,
    Rules,
    Typed,
    new_env,
)
from rulewright.dsl.lowering.emit.layout import CellGroup
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import moves
from rulewright.dsl.lowering.steps.call_triggers import called_procedure
from rulewright.dsl.lowering.steps.condition_triggers import (
    after_step,
    before_leaving,
    check_watchers,
)
from rulewright.dsl.lowering.values import expressions, places
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, UNKNOWN, Type, length_of, list_of
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk


def trigger_groups(c: Compiler, trigger: declared.OnMove) -> list[CellGroup]:
    """Return the zones watched by a trigger on moves."""
    name = (
        trigger.place.name
        if isinstance(trigger.place, (syntax.Dot, syntax.Word, syntax.Call))
        else ""
    )
    return [f for f in c.layout.groups if f.what == "zone" and f.name == name]


def trigger_names(rules: Rules, n: int) -> list[tuple[str, Type]]:
    """Return the names bound by a trigger on moves, each with its type: the piece, and the owner of the zone."""
    c = rules.c
    trigger, power = rules.a.move_triggers[n]
    groups = trigger_groups(c, trigger)
    names: list[tuple[str, Type]] = []
    held = sorted({k for f in groups for k in f.type.names})
    names.append((trigger.name.name, types.Piece(names=tuple(held)) if held else UNKNOWN))
    if isinstance(trigger.place, syntax.Dot) and isinstance(trigger.place.subject, syntax.Word):
        owner = trigger.place.subject.name
        kinds = sorted({f.owner.name for f in groups})
        if kinds == ["player"]:
            names.append((owner, PLAYER))
        elif not kinds:
            names.append((owner, UNKNOWN))
        else:
            is_space = kinds[0] in c.model.spaces
            make_type = types.Space if is_space else types.Piece
            names.append((owner, make_type(names=tuple(kinds))))
    if not groups and trigger.place.span.text.split(".")[-1] not in c.layout.lost:
        c.problems.error(
            "unknown-name",
            f"there is no zone `{trigger.place.span.text}`",
            trigger.place.span,
            help=did_you_mean(
                trigger.place.span.text.split(".")[-1],
                [f.name for f in c.layout.groups if f.what == "zone"],
            )
            or f"declare it: `zone {trigger.place.span.text.split('.')[-1]}: set of PIECE`",
        )
    if power is not None:
        c.problems.error(
            "wrong-type",
            "`enters` and `leaves` belong outside powers",
            trigger.span,
            help="test for the card in a `where`",
        )
    return names


def move_with_triggers(
    w: Writer, ctx: Context, m: moves.LoweredMove, run: Callable[[], None]
) -> None:
    """Emit a move and the triggers that the move starts."""
    leaving = before_leaving(w, ctx, m.s, m.amount)
    _move_with_triggers(w, ctx, m, run, leaving)
    if w.procedure.suspending:
        # so that the same position compares equal, wherever the pieces came from
        parts = walk(tuple(leaving.values()))
        memo = sorted({part.slot for part in parts if isinstance(part, ir.Local)})
        w.emit(*(ir.SetLocal(slot, ZERO) for slot in memo))


def _move_with_triggers(
    w: Writer,
    ctx: Context,
    m: moves.LoweredMove,
    run: Callable[[], None],
    leaving: Mapping[int, Expr],
) -> None:
    s, target, source, amount = m.s, m.target, m.source, m.amount
    numbers = w.a.move_triggers_of(s)
    if not numbers or ctx.at_once or not isinstance(target.type, types.Zone):
        run()
        after_step(w, ctx, s, leaving)
        return
    env, c = ctx.env, w.c
    into = w.procedure.slot()
    w.emit(ir.SetLocal(into, target.code))
    before_in = _save_list(
        w, places.zone_list(env, Typed(target.type, ir.Local(into), target.group))
    )
    out_zone = w.procedure.slot()
    before_out: Expr = ir.Const(())
    homes: Expr | None = None
    if source is not None and isinstance(source.type, types.Zone):
        w.emit(ir.SetLocal(out_zone, source.code))
        before_out = _save_list(
            w, places.zone_list(env, Typed(source.type, ir.Local(out_zone), source.group))
        )
    elif amount is not None and isinstance(amount.type, types.Piece):
        piece = w.procedure.slot()
        w.emit(ir.SetLocal(piece, amount.code))
        w.emit(
            ir.SetLocal(
                out_zone,
                ir.Choice(
                    binary("<", ir.Local(piece), ZERO),
                    NONE,
                    load(c.layout.zone_of, ir.Local(piece)),
                ),
            )
        )
        before_out = _save_list(w, Typed(list_of(amount.type, 1), ir.MakeList((ir.Local(piece),))))
    elif source is not None and isinstance(source.type, types.List):
        before_out, homes = _save_homes(w, source)
    elif amount is not None and isinstance(amount.type, types.List):
        before_out, homes = _save_homes(w, amount)
    else:
        w.emit(ir.SetLocal(out_zone, NONE))
    run()
    env.forget(w.a.changes_of(s))
    for wanted in ("leaves", "enters"):
        for n in numbers:
            trigger, _ = w.a.move_triggers[n]
            if trigger.how == wanted:
                if wanted == "enters":
                    now = places.zone_list(
                        env, Typed(target.type, ir.Local(into), target.group)
                    ).code
                    run_move_trigger(w, ctx, n, now, before_in, into)
                else:
                    run_move_trigger(w, ctx, n, before_out, None, out_zone, homes)
    check_watchers(w, ctx, w.a.watchers_of(s), leaving)


def _save_list(w: Writer, listed: Typed) -> Expr:
    if w.procedure.suspending:
        capacity = max(1, length_of(listed.type))
        slot = w.procedure.slot(capacity + 1)
        w.emit(ir.SetLocalList(slot, capacity, listed.code))
        return ir.LocalList(slot)
    slot = w.procedure.slot()
    w.emit(ir.SetLocal(slot, listed.code))
    return ir.Local(slot)


def zones_of(w: Writer, pieces: Expr) -> Expr:
    """Return code that lists the current zone of each given piece."""
    return ir.CallValue(routine(w.c, "homes"), (pieces,))


def _save_homes(w: Writer, listed: Typed) -> tuple[Expr, Expr]:
    """Emit steps that save pieces and their zones before a move. Return code that reads the list of
    pieces and the list of zones.
    """
    pieces = _save_list(w, listed)
    return pieces, _save_list(w, Typed(listed.type, zones_of(w, pieces)))


def write_where(rules: Rules, n: int, names: Sequence[tuple[str, Type]]) -> None:
    """Emit a procedure that tests the condition of a trigger on moves. Its parameters are the piece
    and the owner of the zone.
    """
    trigger, _ = rules.a.move_triggers[n]
    if trigger.where is None:
        return
    procedure = Procedure("where", suspending=False)
    env = new_env(rules.c, procedure)
    slots = procedure.slot(), procedure.slot()
    for (name, type), slot in zip(names, slots, strict=False):
        env.bind(name, type, slot)
    code = ir.Return(expressions.condition(env, trigger.where).code)
    rules.c.put_plain(rules.where_of(n), procedure, 2, [code], trigger.where.span)


def run_move_trigger(
    w: Writer,
    ctx: Context,
    n: int,
    pieces: Expr,
    before: Expr | None,
    zone: int,
    homes: Expr | None = None,
    others: Expr | None = None,
) -> None:
    """Emit steps that run a trigger for each piece that has entered or left a zone.

    If the zones of the pieces differ, `homes` contains the zone of each piece. If the other zone of
    each move is known, `others` contains the zone from which each piece came, or to which it went.
    """
    c = w.c
    trigger, _ = w.a.move_triggers[n]
    groups = trigger_groups(c, trigger)
    names = trigger_names(w.rules, n)
    inside: Expr = ZERO
    owner: Expr = NONE
    for group in groups:
        count = group.per_owner * group.owner.places
        here = both(
            binary("<=", ir.Const(group.base), ir.Local(zone)),
            binary("<", ir.Local(zone), ir.Const(group.base + count)),
        )
        at: Expr = binary(
            "//", binary("-", ir.Local(zone), ir.Const(group.base)), ir.Const(group.per_owner)
        )
        whose: Expr = binary("+", ir.Const(group.owner.first), at)
        growing = moves.growing_of(c, group)
        if growing is not None:
            whose = load(growing.cell_of, at)
        inside = either(inside, here)
        owner = ir.Choice(here, whose, owner)
    called = called_procedure(w.rules, f"mover {n}")
    me = ctx.env.scope["me"].read() if "me" in ctx.env.scope else NONE
    piece, whose_slot = w.procedure.slot(), w.procedure.slot()
    awake = load(w.rules.awake)
    moved = (
        ir.And(
            ir.Not(ir.Has(before, ir.Local(piece))),
            binary("==", load(c.layout.zone_of, ir.Local(piece)), ir.Local(zone)),
        )
        if before is not None
        else binary("!=", load(c.layout.zone_of, ir.Local(piece)), ir.Local(zone))
    )
    extra: tuple[Expr, ...] = (ir.Local(whose_slot),) if len(names) > 1 else ()

    asked = ir.Local(piece), ir.Local(whose_slot)
    fits = ONE if trigger.where is None else ir.CallValue(w.rules.where_of(n), asked)
    index = w.procedure.slot()
    known = ir.And(awake, inside) if homes is None else awake
    if homes is not None:
        if others is not None:
            elsewhere = binary("!=", ir.At(others, ir.Local(index)), ir.Local(zone))
            still = binary("==", load(c.layout.zone_of, ir.Local(piece)), ir.Local(zone))
            moved = both(elsewhere, still) if trigger.how == "enters" else elsewhere
        moved = both(inside, moved)

    cut = w.procedure.suspending and called[0]
    most = c.model.size_of(names[0][1])
    every = (
        w.each(piece, pieces, most, cut=cut)
        if homes is None
        else w.turns(index, ir.Length(pieces), cut=cut)
    )
    with w.when(known, cut=cut), every:
        if homes is not None:
            w.emit(
                ir.SetLocal(piece, ir.At(pieces, ir.Local(index))),
                ir.SetLocal(zone, ir.At(homes, ir.Local(index))),
            )
        w.emit(ir.SetLocal(whose_slot, owner))
        with w.when(both(moved, fits), cut=cut):
            w.call_any(called, (me, ir.Local(piece), *extra))
