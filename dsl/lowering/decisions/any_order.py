"""Lowers `for each ... in any order`: before each iteration, a player chooses the next member."""

from __future__ import annotations

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.decisions import choosing, sites
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Stmts, binary
from rulewright.dsl.lowering.emit.core import Env, Facts
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.emit.writer import Context, Loop, Writer
from rulewright.dsl.lowering.steps import flow
from rulewright.dsl.lowering.values import expressions, iterating
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import syntax


@writes(syntax.ForEach)
def for_each(w: Writer, ctx: Context, s: syntax.ForEach) -> None:
    """Lower `for each x in S where C`, in the given order or in an order that a player chooses."""
    if s.any_order:
        ctx.env.forget(flow.changed_names(w, s))
        _any_order(w, ctx, s)
    else:
        flow.for_each(w, ctx, s)


def _any_order(w: Writer, ctx: Context, s: syntax.ForEach) -> None:
    """Lower `for each x in S where C, any order`: before each iteration, the player chooses the next member."""
    env = ctx.env
    members, of, capacity = flow.members_of(w, ctx, s.binder, iterating.source_of(env, s.binder))
    if isinstance(members, ir.LocalList):
        slot = members.slot
    else:
        capacity = max(1, capacity)
        slot = env.procedure.slot(capacity + 1)
        w.emit(ir.SetLocalList(slot, capacity, members))
    left = f"{s.binder.name} left"
    inner = env.child()
    inner.bind(left, types.List(of=of, length=capacity), slot, capacity=capacity + 1)
    remover = routine(w.c, "list without one")
    test, some, ask, last, after, following = (w.rules.block() for _ in range(6))
    everybody = flow.is_everybody(env, s.binder.source) and w.c.eliminates
    facts: Facts = {}
    if s.where is not None:
        kept, facts = _remaining_members(w, inner, s, of, s.where, left)
        w.emit(ir.SetLocalList(slot, capacity, kept))
    size = ir.Length(ir.LocalList(slot))
    chosen = env.procedure.slot()
    w.end(ir.Goto(test), test)
    if everybody or isinstance(recursion.expression(env, s.binder.source).type, types.Zone):
        at, source = s.binder.source.span, s.binder.source
        member = syntax.Word(at, s.binder.name)
        there: syntax.Expression = syntax.Binary(at, "in", member, source)
        if everybody:
            there = syntax.Dot(at, member, "in_play", at, None)
        w.emit(ir.SetLocalList(slot, capacity, _remaining_members(w, inner, s, of, there, left)[0]))
    w.end(ir.Branch(binary(">", size, ZERO), some, after), some)
    w.end(ir.Branch(binary(">", size, ONE), ask, last), last)
    # The last member needs no decision.
    w.emit(ir.SetLocal(chosen, ir.At(ir.LocalList(slot), ZERO)))
    w.end(ir.Goto(following), ask)
    here = evolve(ctx, env=inner)
    source = syntax.Word(s.binder.source.span, left)
    pick = syntax.Choose(
        s.span, s.tags, s.binder.name, s.binder.name_span, False, source, None, None
    )
    plan = choosing.member_plan(w, here, pick, of, recursion.expression(inner, source), ())
    again = ctx.tail or w.a.can_fail(s.body)
    plan.complete = not w.a.can_fail(s.body)
    plan.then = lambda variables: w.emit(ir.SetLocal(chosen, variables[0].read()))
    sites.site(
        w,
        evolve(here, outside=False),
        [plan],
        s.span,
        s.binder.name,
        None,
        tail=again and ctx.guarded,
    )
    w.end(ir.Goto(following), following)
    w.emit(
        ir.SetLocalList(
            slot, capacity, ir.CallValue(remover, (ir.LocalList(slot), ir.Local(chosen)))
        )
    )
    body_env = env.child()
    body_env.declare(s.binder.name, of, s.binder.name_span, slot=chosen)
    body_env.learn(facts)
    w.loops.append((Loop(test, test, after), w.scopes))
    recursion.block(w, evolve(ctx, env=body_env, tail=again), s.body)
    w.loops.pop()
    w.end(ir.Goto(test), after)


def _remaining_members(
    w: Writer, env: Env, s: syntax.ForEach, of: Type, condition: syntax.Expression, left: str
) -> tuple[ir.CallValue, Facts]:
    """Return two things: code that lists the remaining members that meet a condition, and the facts
    that follow from the condition.
    """
    here, arguments, index = w.c.closure(env, [condition, syntax.Word(s.span, left)], "those left")
    p = here.procedure
    out, x = p.slot(), p.slot()
    parameters = p.locals - 2
    here.bind(s.binder.name, of, x)
    test = expressions.condition(here, condition)
    each = ir.ForEach(
        x, here.scope[left].read(), (ir.If(test.code, (ir.Append(out, ir.Local(x)),)),)
    )
    steps: Stmts = [ir.SetLocal(out, ir.MakeList(())), each, ir.Return(ir.Local(out))]
    w.c.put_plain(index, p, parameters, steps)
    return ir.CallValue(index, tuple(arguments)), test.so
