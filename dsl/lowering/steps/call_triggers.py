"""Lowers hooks: steps that run automatically before, after or instead of a called rule or action."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import line_of, write
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, Expr, Stmts, binary, under
from rulewright.dsl.lowering.emit.core import (
    Compiler,
    Env,
    Procedure,
    Rules,
    new_env,
)
from rulewright.dsl.lowering.emit.writer import Context, Writer, increment, start_writer
from rulewright.dsl.lowering.steps import results
from rulewright.dsl.lowering.steps.parameters import frame_arguments, param_type
from rulewright.dsl.lowering.values import (
    expressions,
    powers,
    rows,
)
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, UNKNOWN, Type
from rulewright.dsl.text.names import snake
from rulewright.dsl.tree import declared, syntax

# ---- calling rules with their hooks ---------------------------------------------------------------------


def called_procedure(rules: Rules, key: str) -> tuple[bool, int]:
    """Return whether the procedure to call for a body suspends, and the number of this procedure.

    If the body has a wrapper, this is the procedure of the wrapper.
    """
    if key in rules.wrappers:
        return True, rules.wrappers[key]
    return rules.numbers[key]


def needs_wrapper(rules: Rules, key: str) -> bool:
    """Return whether a rule has hooks or a permission is open while the rule runs."""
    name = key.split(" ", 1)[1]
    return key.startswith("rule ") and (
        bool(rules.a.hooks.get(name)) or any(a.is_open_in(name) for a, _ in rules.a.anytimes)
    )


def running_cells(rules: Rules, name: str) -> int:
    """Return the first of the cells that count, for each player, how many calls of a rule are running."""
    if name not in rules.running:
        rules.running[name] = rules.c.layout.take(len(rules.c.model.seats))
    return rules.running[name]


def write_wrapper(rules: Rules, key: str) -> None:
    """Emit the procedure that runs a rule together with its hooks."""
    c = rules.c
    name = key.split(" ", 1)[1]
    rule = c.model.rules[name]
    number = rules.wrappers[key]
    w = start_writer(rules, f"{name} with its hooks", True, rules.a.bodies[key], number)
    env = new_env(c, w.procedure)
    env.bind("me", PLAYER)
    for n, param in enumerate(rule.params):
        env.declare(param.name, param_type(w, rule, n), None, is_parameter=True)
    parameters = w.procedure.locals
    body = rules.a.bodies[key]
    ctx = Context(env, tail=body.tail, guarded=body.in_guard, together=body.together)
    arguments = [variable.read() for variable in env.scope.values()]
    cells: int | None = None
    if any(a.is_open_in(name) for a, _ in rules.a.anytimes):
        cells = running_cells(rules, name)
        at = binary("+", ir.Const(cells), ir.Local(0))
        w.emit(ir.Store(at, binary("+", ONE, ir.Load(at))))
    hooks = list(enumerate(rules.a.hooks.get(name, [])))
    done = w.rules.block()
    for n, (hook, power) in hooks:
        if hook.when == "instead of":
            _run_hook(w, ctx, name, n, hook, power, rule, leave=done)
    for n, (hook, power) in hooks:
        if hook.when == "before":
            _run_hook(w, ctx, name, n, hook, power, rule, leave=None)
    suspending, raw = rules.numbers[key]
    if suspending:
        w.call(raw, [arguments[0], *frame_arguments(w, key, arguments[1:])])
    else:
        w.emit(ir.CallPlain(raw, tuple(arguments)))
    given = results.result(c, rule)
    kept = results.save(w, given) if given is not None else 0
    for n, (hook, power) in hooks:
        if hook.when == "after":
            _run_hook(w, ctx, name, n, hook, power, rule, leave=None)
    if given is not None:
        results.restore(w, given, kept)
    w.end(ir.Goto(done), done)
    if cells is not None:
        at = binary("+", ir.Const(cells), ir.Local(0))
        w.emit(ir.Store(at, ir.Binary("-", ir.Load(at), ONE)))
    w.finish(parameters, rule.name_span)


def hook_names(c: Compiler, hook: declared.OnAction, power: declared.Power | None) -> list[str]:
    """Return the names that a hook binds: the names in its pattern, the name of its actor, and the
    owner and the card of its power.
    """
    names = [p.name for p in hook.pattern.params]
    if hook.pattern.actor is not None and hook.pattern.actor.name not in names:
        names.append(hook.pattern.actor.name)
    if power is not None:
        probe = new_env(c, Procedure("", suspending=False))
        owner = powers.owner_name(probe, power)
        if owner is not None and owner not in names:
            names.append(owner)
        if power.type is not None:
            names.append(power.name)
    return names


def hook_conditions(hook: declared.OnAction, power: declared.Power | None) -> list[object]:
    """Return the expressions that decide whether a hook applies."""
    asked: list[object] = [*hook.pattern.params, hook.where]
    return asked if power is None else [*asked, power.place, power.where]


def run_if_matching(
    c: Compiler,
    env: Env,
    rule: declared.Rule,
    hook: declared.OnAction,
    power: declared.Power | None,
    matching_steps: Callable[[Env], Stmts],
) -> Stmts:
    """Return statements that run the statements of `matching_steps` if the pattern of a hook matches.

    For a hook in a power, they run for each card that has the power. `env` contains the names of
    the rule.
    """
    pairs: list[tuple[Expr, Type, syntax.Expression]] = []
    bound = new_env(c, env.procedure)
    bound.scope["me"] = env.scope["me"]
    for written, param in zip(hook.pattern.params, rule.params, strict=False):
        pairs.append((env.scope[param.name].read(), env.scope[param.name].type, written))
    if hook.pattern.actor is not None:
        pairs.append((env.scope["me"].read(), PLAYER, hook.pattern.actor))
    if power is not None:
        return powers.bind_power(c, bound, power, pairs, hook.where, matching_steps)
    for code, type, pattern in pairs:
        if isinstance(pattern, syntax.Word):
            assert isinstance(code, ir.Local)
            bound.bind(pattern.name, type, code.slot, pattern.span)
    where = hook.where
    test = ONE if where is None else expressions.condition(bound, where).code
    return under(test, matching_steps(bound))


def _run_hook(
    w: Writer,
    ctx: Context,
    name: str,
    n: int,
    hook: declared.OnAction,
    power: declared.Power | None,
    rule: declared.Rule,
    *,
    leave: int | None,
) -> None:
    """Emit steps that, if the pattern matches, run a hook for each card that has the hook."""
    c, env = w.c, ctx.env
    if len(hook.pattern.params) > len(rule.params):
        c.problems.error(
            "wrong-arguments",
            f"`{name}` has {len(rule.params)} parameters, but the pattern names {len(hook.pattern.params)}",
            hook.pattern.span,
            help=f"write `{hook.when} {name}({', '.join(p.name for p in rule.params)})`",
        )
        return
    if power is None:
        for written, param in zip(hook.pattern.params, rule.params, strict=False):
            _check_hides_row(c, hook, written, env.scope[param.name].type)
    names = hook_names(c, hook, power)
    matcher = c.reserve_plain()
    procedure = Procedure(f"when {hook.when} {name}", suspending=False)
    inner = new_env(c, procedure)
    inner.bind("me", PLAYER)
    for param in rule.params:
        inner.bind(param.name, env.scope[param.name].type)
    count = procedure.locals
    out = procedure.slot()

    def append_names(at: Env) -> Stmts:
        items = tuple(at.scope[x].read() if x in at.scope else NONE for x in names)
        return [ir.Append(out, item) for item in items] or [ir.Append(out, ONE)]

    body = run_if_matching(c, inner, rule, hook, power, append_names)
    c.put_plain(
        matcher,
        procedure,
        count,
        [ir.SetLocal(out, ir.MakeList(())), *body, ir.Return(ir.Local(out))],
    )
    width = max(1, len(names))
    copies = 1
    if power is not None and power.type is not None:
        copies = max(1, c.model.size_of(c.model.type_named(power.type.name) or UNKNOWN))
    elif power is not None:
        card = rows.row_named(env, power.name, types.Piece())
        copies = len(card.ids or (0,)) if card is not None else 1
    capacity = width * max(1, copies)
    slot, index = w.procedure.slot(capacity + 1), w.procedure.slot()
    given = tuple(v.read() for v in env.scope.values())
    w.emit(ir.SetLocalList(slot, capacity, ir.CallValue(matcher, given)), ir.SetLocal(index, ZERO))
    items = [
        ir.At(ir.LocalList(slot), binary("+", ir.Local(index), ir.Const(k)))
        for k in range(len(names))
    ]
    more = binary("<", ir.Local(index), ir.Length(ir.LocalList(slot)))
    with w.loop(more, increment(index, width)) if leave is None else w.case(more, leave):
        w.call_any(w.rules.numbers[f"hook {name} {n}"], (ir.Local(0), *items))


def _check_hides_row(
    c: Compiler, hook: declared.OnAction, written: syntax.Word, type: Type
) -> None:
    """Report an error if a new name in a pattern is also the name of a row.

    The new name matches any value, but readers would expect the row.
    """
    kind = next((one for one in c.model.kinds_of(type) if written.name in one.rows), None)
    if kind is None or rows.is_all_of(c, written.name, type):
        return
    named = snake(kind.name)
    params = ", ".join(named if p is written else p.name for p in hook.pattern.params)
    actor = f" as {hook.pattern.actor.name}" if hook.pattern.actor is not None else ""
    asked = (
        re.sub(rf"\b{written.name}\b", named, hook.where.span.text)
        if hook.where is not None
        else ""
    )
    further = f" and {asked}" if asked else ""
    c.problems.error(
        "shadowed-name",
        f"`{written.name}` is the name of one {kind.name}, but here it would be a name for any of them",
        written.span,
        help=write(
            f"{hook.when} {hook.pattern.name}({params}){actor} where {named} is {written.name}{further}",
            line_of(written.span),
        )
        + ", or choose another name",
    )


def hook_types(
    rules: Rules, hook: declared.OnAction, power: declared.Power | None, w: Writer
) -> list[tuple[str, Type]]:
    """Return the names that a hook binds, each with its type."""
    c = rules.c
    rule = c.model.rules.get(hook.pattern.name)
    named: dict[str, Type] = {}
    if rule is not None:
        for n, written in enumerate(hook.pattern.params):
            if n < len(rule.params):
                named[written.name] = param_type(w, rule, n)
    if hook.pattern.actor is not None:
        named[hook.pattern.actor.name] = PLAYER
    out: list[tuple[str, Type]] = []
    for name in hook_names(c, hook, power):
        type = named.get(name)
        if type is None and power is not None and power.type is not None and name == power.name:
            type = c.model.type_named(power.type.name)
        out.append((name, type or PLAYER))
    return out
