"""Lowers the statements that change the order of the pieces in a pile: `shuffle`, `reverse` and `sort`."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit import recursion, routines
from rulewright.dsl.lowering.emit.code import ONE, binary
from rulewright.dsl.lowering.emit.core import Compiler, Env, Rules, Typed
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer, start_writer
from rulewright.dsl.lowering.steps import condition_triggers
from rulewright.dsl.lowering.steps.relinking import put
from rulewright.dsl.lowering.values import expressions, queries
from rulewright.dsl.model import types
from rulewright.dsl.model.types import describe
from rulewright.dsl.tree import syntax


@writes(syntax.Shuffle)
def shuffle(w: Writer, ctx: Context, s: syntax.Shuffle) -> None:
    """Lower `shuffle deck`."""
    place = _pile(ctx.env, s.place, "shuffled", "a set has no order; declare the zone as a `pile`")
    if place is None:
        return
    w.call(_shuffler(w.rules), (place.code,))
    condition_triggers.after_step(w, ctx, s)


def _shuffler(rules: Rules) -> int:
    """Return the number of the procedure that shuffles a pile. It takes one step of chance for each
    piece except the first.
    """
    if "shuffle" in rules.helpers:
        return rules.helpers["shuffle"]
    number = rules.helpers["shuffle"] = rules.reserve()
    w = start_writer(rules, "shuffle", True, None, number)
    names = {name: ir.Local(w.procedure.slot()) for name in ("z", "k", "j", "x", "y")}

    def emit_text(text: str) -> None:
        remembers = int(w.c.layout.known >= 0)
        w.emit(*routines.steps(w.c, w.procedure, text, remembers=remembers, **names))

    emit_text("""
        x = head[z]
        k = 0
        while x >= 0:
            scratch[k] = x
            k += 1
            x = next[x]
        k -= 1
        x = 0
    """)
    with w.loop(binary(">=", names["k"], ONE)):
        site = ir.ChanceSite(number, names["j"].slot, "shuffle", None, 0, "shuffle", None)
        w.chance(site, binary("+", ONE, names["k"]))
        emit_text("""
            x = scratch[k]
            scratch[k] = scratch[j]
            scratch[j] = x
            k -= 1
            j = 0
            x = 0
        """)
    emit_text("""
        y = -1
        j = count[z]
        for k in range(j):
            x = scratch[k]
            scratch[k] = 0
            previous[x] = y
            next[x] = -1
            if y >= 0: next[y] = x
            else: head[z] = x
            if remembers: known[x] = 0
            y = x
        if j > 0: tail[z] = y
    """)
    w.finish(1)
    return number


@writes(syntax.Reverse)
def reverse(w: Writer, ctx: Context, s: syntax.Reverse) -> None:
    """Lower `reverse deck`, which turns a pile over: the bottom piece moves to the top, and so on."""
    place = _pile(ctx.env, s.place, "reversed", "a set has no order; declare the zone as a `pile`")
    if place is None:
        return
    order = expressions.as_list(ctx.env, place, s.place)
    w.emit(ir.CallPlain(_reorderer(w.c, forgets=False), (place.code, order.code)))
    condition_triggers.after_step(w, ctx, s)


@writes(syntax.Sort)
def sort(w: Writer, ctx: Context, s: syntax.Sort) -> None:
    """Lower `sort c in deck by c.rank lowest`, which puts the first piece of the order on top."""
    env, source, name = ctx.env, s.binder.source, s.binder.name
    cure = f"order the query itself: `ranking({name} in {source.span.text} by ...)`"
    place = _pile(env, source, "sorted", f"declare it as `pile of ...`, or {cure}")
    if place is None:
        return
    order = queries.query(
        env, syntax.Query(s.span, "ranking", (s.binder,), None, s.keys, True, None), None
    )
    if not order.type.known:
        return
    w.emit(ir.CallPlain(_reorderer(w.c, forgets=True), (place.code, order.code)))
    condition_triggers.after_step(w, ctx, s)


def _pile(env: Env, written: syntax.Expression, done: str, cure: str) -> Typed | None:
    """Return the pile whose order changes. If the place is not a pile, report an error and return None."""
    place = recursion.expression(env, written)
    if (
        isinstance(place.type, types.Zone)
        and place.group is not None
        and place.group.shape == "pile"
    ):
        return place
    if place.type.known:
        message = f"only piles are {done}, but this is {describe(place.type)}"
        env.c.problems.error("wrong-type", message, written.span, help=cure)
    return None


def _reorderer(c: Compiler, *, forgets: bool) -> int:
    """Return the number of the procedure that puts a pile into a given order, with the first piece on top.

    If `forgets` is true, no player knows afterwards which piece is where.
    """
    return routines.routine(
        c,
        "sort pile",
        "sort pile" if forgets else "reverse pile",
        put_under=lambda: put(c, "under"),
        forgets=int(forgets and c.layout.known >= 0),
    )
