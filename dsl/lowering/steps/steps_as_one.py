"""Lowers `at once`, which runs several steps as one step and checks triggers only after the last of them.

No trigger runs during the steps or during rules that they call. Afterwards, each piece whose place
has changed starts the triggers of both its old and its new place. Watched numbers and conditions
are compared with their values at the beginning.
"""

from __future__ import annotations

from attrs import evolve, frozen

from rulewright.dsl import ir
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ZERO, Expr, load
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import condition_triggers, move_triggers
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import every


@writes(syntax.AtOnce)
def at_once(w: Writer, ctx: Context, s: syntax.AtOnce) -> None:
    """Emit the steps, followed by the triggers that the steps start."""
    if ctx.at_once:
        recursion.block(w, ctx, s.body)
        return
    done = _started_triggers(w.a, s)
    watched = bool(done.move_triggers or done.watchers)
    was = w.procedure.slot()
    asleep = watched and done.elsewhere
    if asleep:
        w.emit(ir.SetLocal(was, load(w.rules.awake)), ir.Store(ir.Const(w.rules.awake), ZERO))
    pieces = ir.Const(tuple(sorted(_watched_pieces(w, done))))
    before = _current_zones(w, pieces) if done.move_triggers else None

    def finish() -> None:
        if asleep:
            w.emit(ir.Store(ir.Const(w.rules.awake), ir.Local(was)))
        if before is not None:
            now = _current_zones(w, pieces)
            for how, homes, others in (("leaves", before, now), ("enters", now, before)):
                for n in done.move_triggers:
                    if w.a.move_triggers[n][0].how == how:
                        zone = w.procedure.slot()
                        move_triggers.run_move_trigger(w, ctx, n, pieces, None, zone, homes, others)
        condition_triggers.check_watchers(w, ctx, done.watchers)

    w.at_onces.append((len(w.loops), finish))
    recursion.block(w, evolve(ctx, at_once=True), s.body)
    w.at_onces.pop()
    finish()
    ctx.env.forget(None if done.elsewhere else w.a.changes(s.body))


@frozen
class _StartedTriggers:
    """The watched conditions and move triggers that steps may start, and whether some of the steps
    are in called rules.
    """

    watchers: list[int]
    move_triggers: list[int]
    elsewhere: bool


def _started_triggers(a: Analysis, s: syntax.AtOnce) -> _StartedTriggers:
    """Find the triggers that may be started by steps inside `at once`.

    Steps of called rules, and of permissions that players use meanwhile, are also inside it.
    """
    blocks = a.blocks_run(s.body)
    if any(_may_ask(step) for block in blocks for step in every(block)):
        for anytime, _ in a.anytimes:
            body = a.bodies.get(f"rule {anytime.action}")
            blocks += a.blocks_run(body.statements) if body is not None else ()
    watchers: set[int] = set()
    set_off: set[int] = set()
    for step in (step for block in blocks for step in every(block)):
        watchers.update(a.watchers_of(step))
        if isinstance(step, syntax.Move):
            set_off.update(a.move_triggers_of(step))
    return _StartedTriggers(sorted(watchers), sorted(set_off), len(blocks) > 1)


def _may_ask(s: syntax.Statement) -> bool:
    """Return whether a step, or a rule that the step calls, may ask a player to decide."""
    return isinstance(s, syntax.Choose | syntax.ChooseOf | syntax.May | syntax.Do) or (
        isinstance(s, syntax.ForEach) and s.any_order
    )


def _watched_pieces(w: Writer, done: _StartedTriggers) -> set[int]:
    """Return the pieces that can be in places with triggers on moves."""
    types = (move_triggers.trigger_names(w.rules, n)[0][1] for n in done.move_triggers)
    return {piece for type in types for piece in w.c.model.ids_of(type)}


def _current_zones(w: Writer, pieces: ir.Const) -> Expr:
    """Return code that lists the current zone of each piece. The list is stored in a local."""
    assert isinstance(pieces.value, tuple)
    if not w.procedure.suspending:
        slot = w.procedure.slot()
        w.emit(ir.SetLocal(slot, move_triggers.zones_of(w, pieces)))
        return ir.Local(slot)
    capacity = max(1, len(pieces.value))
    slot = w.procedure.slot(capacity + 1)
    w.emit(ir.SetLocalList(slot, capacity, move_triggers.zones_of(w, pieces)))
    return ir.LocalList(slot)
