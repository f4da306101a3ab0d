"""Lowers options that call rules, actions or effects. Also lowers standing permissions such as
`anytime repay during use_card`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.decisions import counting, equivalent_pieces, targets
from rulewright.dsl.lowering.decisions.plans import ArmPlan, Filter, Part, Refuse
from rulewright.dsl.lowering.decisions.preconditions import collect_preconditions
from rulewright.dsl.lowering.decisions.reveals import is_laid_open
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, Stmts, binary, load
from rulewright.dsl.lowering.emit.core import Env, Variable, new_env
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import call_triggers, messages, parameters, results, running
from rulewright.dsl.lowering.values import (
    expressions,
    iterating,
    powers,
)
from rulewright.dsl.model.types import Type, whole
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name


def do_plan(w: Writer, ctx: Context, s: syntax.Do, tail: bool) -> ArmPlan:
    """Return the arm for `do action` among options, with one option for each combination of the
    action's parameters.
    """
    empty = ArmPlan(call_name(s.call) or "do", [], s.span)
    if s.effect:
        name = "effect"
        plan = ArmPlan(name, [s.call], s.span, tags=s.tags)
        plan.complete = False

        def always(env: Env, k: Callable[..., Stmts]) -> Stmts:
            return k(env, [], lambda *_: [])

        plan.offer = always

        def run(variables: list[Variable]) -> None:
            recursion.statement(w, evolve(ctx, env=ctx.env.child(), tail=tail, rest=()), s)

        plan.then = run
        return plan
    found = targets.find_targets(w, ctx, s)
    if found is None:
        return empty
    found = [t for t in found if targets.params_fit(w, s, t)]
    if not found:
        return empty
    if (
        len(found) == 1
        and isinstance(s.call, (syntax.Word, syntax.Call))
        and call_name(s.call) in w.c.model.rules
    ):
        return _action_plan(w, ctx, s, found[0], tail)
    return _any_action_plan(w, ctx, s, found, tail)


def _action_plan(
    w: Writer, ctx: Context, s: syntax.Do, target: targets.Target, tail: bool
) -> ArmPlan:
    rule, c = target.rule, w.c
    open_params = list(range(len(target.given), len(rule.params)))
    wanted = [parameters.param_type(w, rule, n) for n in open_params]
    wanted = [t if t.known else whole(0, 0) for t in wanted]
    nodes: list[object] = [
        *target.given,
        *(a.amount for ch in s.changes for a in ch.changes),
        *(ch.value for ch in s.changes),
    ]
    nodes.append(syntax.Word(s.span, "me"))
    plan = ArmPlan(target.name, nodes, s.span, types=wanted, tags=rule.tags)
    plan.above, plan.named = s.tags, rule.named
    fails = bool(open_params) or w.a.rule_can_fail(target.name)
    plan.sure = not tail and (not fails or w.a.is_always_there(s))
    plan.laid_open = all(
        is_laid_open(w.a, rule.body, rule.params[n].name) for n in open_params
    ) and not w.a.hooks.get(rule.name)
    plan.parts = tuple(_param_part(w, rule, n) for n in open_params)

    def enter(env: Env) -> tuple[Env, Stmts]:
        """Return two things: an environment that binds `me` and the parameters of the action, and
        steps that set these locals.
        """
        inner = new_env(c, env.procedure)
        inner.scope["me"] = env.scope["me"]
        stmts: Stmts = []
        for n, argument in enumerate(target.given):
            code = parameters.argument_code(w, env, rule, n, argument)
            variable = inner.declare(rule.params[n].name, parameters.param_type(w, rule, n), None)
            stmts += variable.set_to(code)
        return inner, stmts

    def offer(env: Env, k: Callable[..., Stmts]) -> Stmts:
        inner, stmts = enter(env)

        def level(at: Env, left: list[int], chosen: list[tuple[Type, Expr]]) -> Stmts:
            if not left:

                def settle(refuse: Refuse, accept: Stmts) -> Stmts:
                    if s.changes:
                        # The conditions of the action use the changed values, because the action
                        # sees them.
                        plan.complete = plan.complete and not w.a.rule_can_fail(target.name)
                        plan.settles = plan.complete
                        return []
                    tagged = evolve(ctx, tags=clause_ids(rule.tags))
                    found = collect_preconditions(
                        w, at.child(), rule.body, refuse, tagged, rule.name, accept
                    )
                    return plan.take(found)

                return k(at, chosen, settle)
            n, *others = left
            param, of = rule.params[n], parameters.param_type(w, rule, n)
            assert param.source is not None

            def loops(if_new: equivalent_pieces.IfNew) -> Stmts:
                def each(inside: Env) -> Stmts:
                    one = inside.scope[param.name].read()
                    return if_new(one, level(inside, others, [*chosen, (of, one)]))

                return iterating.members(at, param.binder, param.where, each)

            return equivalent_pieces.offer_once(at, w, of, param.source, loops)

        return [*stmts, *level(inner, open_params, [])]

    def then(variables: list[Variable]) -> None:
        codes = [
            parameters.argument_code(w, ctx.env, rule, n, argument)
            for n, argument in enumerate(target.given)
        ]
        codes.extend(v.read() for v in variables)
        running.with_changes(
            w, ctx, s, lambda: running.call_body(w, ctx, f"rule {target.name}", codes)
        )
        given = results.result(c, rule)
        if given is not None and not ctx.wants_result:
            results.clear(w, given)

    said = next((line for line in rule.body if isinstance(line, syntax.Say)), None)

    def say(env: Env) -> tuple[int, tuple[Expr, ...]] | None:
        if said is None or not c.is_run:
            return None  # errors in the words are reported when the words themselves are lowered
        inner, stmts = enter(env)
        for k, n in enumerate(open_params):
            inner.scope[rule.params[n].name] = env.scope[f"choice {k}"]
        for line in rule.body:
            if line is said:
                break
            if isinstance(line, syntax.Let):
                found = recursion.expression(inner, line.value)
                typed = expressions.as_stored(inner, found, line.value, None)
                variable = inner.declare(line.name, typed.type, None)
                stmts += variable.set_to(typed.code)
        message, codes = messages.text_message(inner, said.text, clause_ids(rule.tags))
        if s.changes:
            kept = [env.procedure.slot() for _ in codes]

            def words() -> None:
                w.emit(*stmts, *map(ir.SetLocal, kept, codes))

            changed = w.capture(lambda: running.with_changes(w, ctx.with_env(env), s, words))
            stmts, codes = list(changed), tuple(map(ir.Local, kept))
        c.text_prelude = stmts
        return message, codes

    plan.offer, plan.then, plan.say = offer, then, say
    plan.filter_env = enter
    for place, n in enumerate(open_params):
        param = rule.params[n]
        if param.source is not None:
            tags = clause_ids(rule.tags)
            plan.filters.append(
                Filter(param.name, place, param.source, param.where, param.reason, tags)
            )
    return plan


def _param_part(w: Writer, rule: declared.Rule, n: int) -> Part:
    """Return the name and the source of an open parameter, and the maximum number of its values."""
    param = rule.params[n]
    type = parameters.param_type(w, rule, n)
    most = counting.most_of(w, type, param.source, parameters.param_source(w, rule, n))
    return Part(param.name, param.span if param.source is None else param.source.span, most)


def _any_action_plan(
    w: Writer, ctx: Context, s: syntax.Do, found: list[targets.Target], tail: bool
) -> ArmPlan:
    """Return the arm for a step such as `do card.use`. If the action that the card names is
    possible, the arm offers it.
    """
    nodes: list[object] = [s.call, syntax.Word(s.span, "me")]
    plan = ArmPlan(call_name(s.call), nodes, s.span, tags=s.tags)

    def offer(env: Env, k: Callable[..., Stmts]) -> Stmts:
        def settle(refuse: Refuse, accept: Stmts) -> Stmts:
            return plan.take(collect_preconditions(w, env.child(), (s,), refuse, ctx, None, accept))

        return k(env, [], settle)

    def then(variables: list[Variable]) -> None:
        dispatch(w, evolve(ctx, tail=tail), s, found)

    plan.offer, plan.then = offer, then
    return plan


def dispatch(w: Writer, ctx: Context, s: syntax.Do, found: list[targets.Target]) -> None:
    """Emit steps that run the action that an expression names. `found` contains all actions that
    the expression may name.
    """
    typed = recursion.expression(ctx.env, targets.action_expression(s))
    slot = ctx.env.procedure.slot()
    w.emit(ir.SetLocal(slot, typed.code))
    after = w.rules.block()
    for target in found:
        number = ir.Const(targets.action_number(w, target))
        with w.case(binary("==", ir.Local(slot), number), after):
            recursion.statement(
                w, evolve(ctx, env=ctx.env.child(), rest=()), targets.target_step(s, target)
            )
    messages.fail_if(w, evolve(ctx, outside=False), ONE, s, "it names no action")
    w.end(ir.Goto(after), after)


# ---- standing permissions -------------------------------------------------------------------------------------


def anytime_plan(
    w: Writer, ctx: Context, anytime: declared.Anytime, power: declared.Power | None
) -> ArmPlan | None:
    """Return the arm for a standing permission such as `anytime repay during use_card`.

    The permission is offered at every decision of the same player while the rule is running. Return
    None if the permission cannot be offered. The error is then reported at the line of the
    permission.
    """
    rule = w.c.model.rules.get(anytime.action)
    step = syntax.Do(
        anytime.span, anytime.tags, syntax.Word(anytime.action_span, anytime.action), False, ()
    )
    if rule is None or any(param.source is None for param in rule.params):
        return None
    plan = _action_plan(
        w,
        evolve(ctx, guarded=True, outside=False),
        step,
        targets.Target(anytime.action, rule, ()),
        False,
    )
    inside = plan.offer
    cells = [call_triggers.running_cells(w.rules, rule.name) for rule in anytime.during]
    plan.nodes.append(anytime.where)
    if power is not None:
        plan.nodes.extend([power.place, power.where])

    def offer(env: Env, k: Callable[..., Stmts]) -> Stmts:
        times = [load(place, env.scope["me"].read()) for place in cells]
        running = binary(">", reduce(lambda one, other: binary("+", one, other), times), ZERO)

        def if_allowed(at: Env) -> Stmts:
            if anytime.where is None:
                return inside(at, k)
            return [ir.If(expressions.condition(at, anytime.where).code, tuple(inside(at, k)))]

        if power is None:
            return [ir.If(running, tuple(if_allowed(env)))]
        return [ir.If(running, tuple(powers.bind_power(w.c, env, power, [], None, if_allowed)))]

    settled = plan.then

    def then(variables: list[Variable]) -> None:
        w.emit(w.c.mark("step", f"anytime {anytime.action}", anytime.tags, anytime.span))
        settled(variables)

    plan.offer = offer
    plan.aside = True
    if anytime.tags:
        plan.then = then
    return plan
