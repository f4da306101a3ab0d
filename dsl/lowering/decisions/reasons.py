"""Lowers the reasons why a thing is not offered.

For each arm, a procedure finds the first condition that the thing does not meet. The reasons
concern only things that no option mentions. The module does not determine which things are offered.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import ir
from rulewright.dsl.lowering.decisions.plans import ArmPlan, Filter
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ZERO, Expr, negation
from rulewright.dsl.lowering.emit.core import Compiler, Env, Procedure, Variable, new_env
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.lowering.steps import messages
from rulewright.dsl.lowering.values import expressions, unmet
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import syntax


def choice_env(
    c: Compiler,
    inner: Env,
    arguments: Sequence[Expr],
    plan: ArmPlan,
    types: Sequence[Type],
    name: str,
) -> tuple[Env, int]:
    """Return the environment and the number of parameters of a procedure that takes the arguments
    of a site and of a choice.
    """
    procedure = Procedure(name, suspending=False)
    env = new_env(c, procedure)
    env.facts = dict(inner.facts)
    names = [
        name for name, variable in inner.scope.items() if variable.procedure is inner.procedure
    ]
    by_slot = sorted(
        (inner.scope[name].slot, name) for name in names if inner.scope[name].slot < len(arguments)
    )
    for _, name in by_slot:
        env.bind(name, inner.scope[name].type, span=inner.scope[name].span)
    while procedure.locals < len(arguments):
        procedure.slot()
    for n, type in enumerate(types):
        env.bind(f"choice {n}", type, span=plan.span)
    return env, procedure.locals


def filter_procedure(
    w: Writer, plan: ArmPlan, inner: Env, arguments: Sequence[Expr], types: Sequence[Type]
) -> int | None:
    """Return the procedure that, given the arguments of the site and of the choice, finds why a thing is not offered.

    The procedure returns the number of the first unmet condition, a flag for a reason given by the
    author, a message, and the arguments of the message. If the thing meets all conditions, the
    procedure returns an empty list.
    """
    c = w.c
    if not (plan.filters if c.is_run else any(one.reason for one in plan.filters)):
        return None
    env, parameters = choice_env(c, inner, arguments, plan, types, "reasons")
    at, body = plan.filter_env(env) if plan.filter_env is not None else (env, [])
    at = at.child()
    if not c.is_run:
        _check_texts(env, at, plan)
        return None
    step = 0
    for one in plan.filters:
        for test, is_said, (message, codes) in _exclusion_tests(
            c, at, one, env.scope[f"choice {one.place}"]
        ):
            step += 1
            found: list[Expr] = [
                ir.Const(step),
                ir.Const(int(is_said)),
                ir.Const(message),
            ]
            body = [*body, ir.If(test, (ir.Return(ir.MakeList((*found, *codes))),))]
    if plan.turn_tests is not None:
        before, turns = plan.turn_tests(at)
        body = [*body, *before]
        for test, (parts, codes) in turns:
            step += 1
            said = c.message(parts, plan.span, plan.filters[-1].tags, derived=True)
            refusal = ir.MakeList((ir.Const(step), ZERO, ir.Const(said), *codes))
            body = [*body, ir.If(test, (ir.Return(refusal),))]
    if not step:
        return None
    index = c.reserve_plain()
    body = [*body, ir.Return(ir.MakeList(()))]
    c.put_plain(index, env.procedure, parameters, body, plan.span)
    return index


def _check_texts(env: Env, at: Env, plan: ArmPlan) -> None:
    """Report errors in the author's texts. Errors in conditions are reported when the options are lowered."""
    for one in plan.filters:
        at.scope[one.name] = env.scope[f"choice {one.place}"]
        if one.where is None:
            continue
        asked = expressions.condition(at, one.where)
        if one.reason is not None:
            failing = at.child()
            failing.learn(asked.otherwise)
            messages.text_message(failing, one.reason, one.tags)
        at.learn(asked.so)


def _exclusion_tests(
    c: Compiler, at: Env, one: Filter, variable: Variable
) -> list[tuple[Expr, bool, tuple[int, tuple[Expr, ...]]]]:
    """Return the tests that exclude a thing.

    Each test is code, together with its message and with a flag that is true if the author gives
    the message.
    """
    found: list[tuple[Expr, bool, tuple[int, tuple[Expr, ...]]]] = []
    if isinstance(one.source, syntax.TypeWord):
        at.scope[one.name] = variable
    else:  # a query in the source may use the same name again
        chosen = syntax.Word(one.source.span, f"choice {one.place}")
        at.scope[chosen.name] = variable
        inside = syntax.Binary(one.source.span, "in", chosen, one.source)
        there = expressions.condition(at, inside)
        source = there.of(one.source) or recursion.expression(at, one.source)
        at.scope[one.name] = variable
        if source.type.known:
            parts, codes = unmet.why_left_out(at, one.name, source)
            said = c.message(parts, one.source.span, one.tags, derived=True), codes
            found.append((negation(there.code), False, said))
    if one.where is None:
        return found
    tested = expressions.condition(at, one.where)
    for asked in [tested] if one.reason is not None else unmet.lowered_conjuncts(tested):
        test = negation(asked.code)
        if one.reason is not None:
            failing = at.child()
            failing.learn(asked.otherwise)
            said = messages.text_message(failing, one.reason, one.tags)
        else:
            parts, codes = unmet.explanation(at, asked)
            said = c.message(parts, (asked.e or one.where).span, one.tags, derived=True), codes
        found.append((test, one.reason is not None, said))
        at.learn(asked.so)
    return found
