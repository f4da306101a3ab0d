"""Lowers choices between several continuations: `choose one of`, `may`, and `for each ... in any order`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import write
from rulewright.dsl.lowering.decisions import (
    call_options,
    choosing,
    counting,
    sites,
    targets,
)
from rulewright.dsl.lowering.decisions.plans import ArmPlan, Filter
from rulewright.dsl.lowering.decisions.reveals import is_laid_open
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, Stmts, binary
from rulewright.dsl.lowering.emit.core import Env, Variable
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import messages, running
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.model.types import Type, whole
from rulewright.dsl.text import plurals
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import syntax


@writes(syntax.ChooseOf)
def choose_of(w: Writer, ctx: Context, s: syntax.ChooseOf) -> None:
    """Lower `choose one of` and similar statements, with a possibility scope around each arm."""
    once = s.quantity is None and not s.all_of
    s = evolve(s, arms=tuple(arm for arm in s.arms if not targets.is_left_out(w, arm)))
    inner = evolve(ctx, guarded=True, outside=False, beyond=False, env=ctx.env.child())
    tail_inside = ctx.tail and ctx.guarded
    if once:
        arms = [_arm_plan(w, inner, arm, tail_inside) for arm in s.arms]
        choose_in_scope(w, ctx, s, inner, tail_inside, arms, s.prompt)
        return
    env = ctx.env
    used = [env.procedure.slot() for _ in s.arms]
    count = env.procedure.slot()
    w.emit(*(ir.SetLocal(slot, ZERO) for slot in used), ir.SetLocal(count, ZERO))
    limit: Expr = ir.Const(len(s.arms))
    word = "exactly"
    if s.quantity is not None and s.quantity.amount is not None:
        number = expressions.number(env, s.quantity.amount)
        slot = env.procedure.slot()
        w.emit(ir.SetLocal(slot, number.code))
        limit, word = ir.Local(slot), s.quantity.word
        limit_slot = slot
    else:
        limit_slot = env.procedure.slot()
        w.emit(ir.SetLocal(limit_slot, limit))
    full = ir.Const(len(s.arms)) if word == "at least" else ir.Local(limit_slot)
    loop_env = inner.env
    names = []
    for n, slot in enumerate(used):
        name = f"used {n}"
        loop_env.bind(name, whole(0, 1), slot)
        names.append(name)
    loop_env.bind("count so far", whole(0, 99), count)
    loop_env.bind("count wanted", whole(0, 99), limit_slot)
    plans: list[ArmPlan] = []
    tail = tail_inside or (word in ("exactly", "at least") and not w.a.has_enough_arms(s))
    for n, arm in enumerate(s.arms):
        plan = _arm_plan(w, inner, arm, tail)
        plan.nodes.append(syntax.Word(s.span, names[n]))
        plan.offer = _offer_if_unused(plan.offer, names[n])
        plan.then = _count_use(w, plan.then, used[n], count)
        plans.append(plan)
    if word != "exactly":

        def finish(variables: list[Variable]) -> None:
            w.leave_for(loop.after, w.scopes - 1)

        finishing = choosing.word_plan("done", s.span, finish)
        finishing.nodes = [syntax.Word(s.span, "count so far"), syntax.Word(s.span, "count wanted")]
        if word == "at least":

            def offer(env2: Env, k: Callable[..., Stmts]) -> Stmts:
                enough = binary(
                    ">=", env2.scope["count so far"].read(), env2.scope["count wanted"].read()
                )
                return [ir.If(enough, tuple(k(env2, [], lambda *_: [])))]

            finishing.offer, finishing.sure = offer, False
        plans.append(finishing)
    with w.loop(binary("<", ir.Local(count), full)) as loop:
        choose_in_scope(w, ctx, s, inner, tail, plans, s.prompt)


def _offer_if_unused(offer: Callable[..., Stmts], name: str) -> Callable[..., Stmts]:
    def offer_unused(env: Env, k: Callable[..., Stmts]) -> Stmts:
        return [ir.If(binary("==", env.scope[name].read(), ZERO), tuple(offer(env, k)))]

    return offer_unused


def _count_use(
    w: Writer, then: Callable[[list[Variable]], None], used: int, count: int
) -> Callable[[list[Variable]], None]:
    def count_and_run(variables: list[Variable]) -> None:
        w.emit(ir.SetLocal(used, ONE), ir.SetLocal(count, binary("+", ONE, ir.Local(count))))
        then(variables)

    return count_and_run


def choose_in_scope(
    w: Writer,
    ctx: Context,
    s: syntax.Statement,
    inner: Context,
    tail: bool,
    plans: Sequence[ArmPlan],
    prompt: syntax.Text | None,
    word: str = "",
) -> None:
    """Emit steps that open a possibility scope, let the player choose, run the chosen arm, and close the scope."""
    _scope_may_be_empty(w, ctx, plans, s)
    with w.scope():
        sites.site(w, inner, plans, s.span, word, prompt, tail=tail)
    ctx.env.forget(None)


def _scope_may_be_empty(
    w: Writer, ctx: Context, plans: Sequence[ArmPlan], s: syntax.Statement
) -> None:
    if not sites.may_be_empty(ctx, plans):
        return
    w.c.problems.error(
        "empty-choice",
        "perhaps none of this can be done, and the rules do not handle that",
        s.span,
        help='add an option that is always possible (`option "pass"`), put it under `if possible`, or '
        + write("surely ", s.span.before)
        + " before it",
    )


def _arm_plan(w: Writer, ctx: Context, arm: syntax.OptionArm | syntax.Do, tail: bool) -> ArmPlan:
    if isinstance(arm, syntax.Do):
        return call_options.do_plan(w, ctx, arm, tail)
    return _option_plan(w, ctx, arm, tail)


def option_name(text: syntax.Text) -> str:
    """Return the name of an option, given its text. A value in braces becomes an argument of the name."""
    words = "".join(p for p in text.parts if isinstance(p, str))
    return as_name(plurals.plural_text(words)) or "option"


def _has_some(w: Writer, one: syntax.Binder, where: syntax.Expression | None, env: Env) -> bool:
    return counting.least_of(env, w, one, where) > 0


def _option_plan(w: Writer, ctx: Context, arm: syntax.OptionArm, tail: bool) -> ArmPlan:
    name = option_name(arm.text)
    nodes: list[object] = [arm.where, arm.text, *arm.body]
    plan = ArmPlan(name, nodes, arm.text.span, tags=arm.tags)
    plan.named = arm.named
    nodes += arm.named.arguments if arm.named is not None else ()
    plan.sure = w.a.is_always_there(arm) and not tail
    of: list[Type] = []
    binder = arm.binder
    if binder is not None:
        nodes.insert(0, binder)
        typed = recursion.expression(ctx.env, binder.source)
        type = choosing.member_type(ctx.env, typed, binder.source)
        type = choosing.narrow_to_kind(ctx.env, type, binder.type)
        if type.known and not choosing.check_storable(w, type, binder.source):
            return plan
        if not type.known:
            type = whole(0, 0)
        of.append(type)
        if not (tail or w.a.can_fail(arm.body)):
            plan.has_some = partial(_has_some, w, binder, arm.where)
        part = counting.choice_part(w, binder.name, type, binder.source, typed)
        plan.parts = (part,)
        plan.laid_open = is_laid_open(w.a, arm.body, binder.name)
    plan.types = of

    def then(variables: list[Variable]) -> None:
        inner = ctx.env.child()
        if binder is not None:
            inner.declare(binder.name, of[0], binder.name_span, slot=variables[0].slot)
        inner.learn(plan.known)
        recursion.block(
            w, evolve(ctx, env=inner, tail=tail, tags=clause_ids(arm.tags) or ctx.tags), arm.body
        )

    def say(env: Env) -> tuple[int, tuple[Expr, ...]] | None:
        if binder is not None:
            env.scope[binder.name] = env.scope["choice 0"]
        return messages.text_message(env, arm.text, clause_ids(arm.tags))

    plan.offer = choosing.offer_members(w, ctx, plan, binder, arm.where, arm.body)
    plan.then, plan.say = then, say
    if binder is not None:
        tags = clause_ids(arm.tags) or ctx.tags
        plan.filters = [Filter(binder.name, 0, binder.source, arm.where, arm.reason, tags)]
        nodes.append(arm.reason)
    return plan


# ---- may, and any order -------------------------------------------------------------------------------------


@writes(syntax.May)
def may(w: Writer, ctx: Context, s: syntax.May) -> None:
    """Lower `may "words"` with its block, or `may do action`. The player accepts or declines."""
    inner = evolve(ctx, guarded=True, outside=False, beyond=False, env=ctx.env.child())
    tail = ctx.tail and ctx.guarded
    if s.text is None and len(s.body) == 1 and isinstance(s.body[0], syntax.Do):
        step = s.body[0]
        unchanged = evolve(step, changes=())
        decline = choosing.word_plan("no", s.span, lambda variables: None)
        prompt = messages.action_question(w, step)

        def choose_it() -> None:
            plan = call_options.do_plan(w, inner, unchanged, tail)
            choose_in_scope(w, evolve(ctx, outside=False), s, inner, tail, [plan, decline], prompt)

        # Changed values also apply while the action is offered, so that reasons and texts show them.
        running.with_changes(w, ctx, step, choose_it)
        return
    text = s.text or syntax.Text(s.span, ("do it",))
    plan = _option_plan(w, inner, syntax.OptionArm(s.span, s.tags, text, None, None, s.body), tail)
    plan.name = "yes"
    decline = choosing.word_plan("no", s.span, lambda variables: None)
    prompt = messages.as_question(text)
    choose_in_scope(w, evolve(ctx, outside=False), s, inner, tail, [plan, decline], prompt)
