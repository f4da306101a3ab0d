"""Calls of rules, actions and effects as steps: `do ...`, and what is changed for one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve, frozen

from rulewright.dsl import ir
from rulewright.dsl.lowering.decisions import call_options, offering, sites
from rulewright.dsl.lowering.steps import hooks
from rulewright.dsl.lowering.values import attributes, expressions, mentions, values
from rulewright.dsl.lowering.workshop.core import (
    NONE,
    ONE,
    ZERO,
    Env,
    Expr,
    Typed,
    Variable,
    binary,
    both,
    load,
    new_env,
)
from rulewright.dsl.lowering.workshop.writer import Context, Writer
from rulewright.dsl.problems.diagnostics import Label
from rulewright.dsl.problems.suggest import did_you_mean, near_names
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name
from rulewright.dsl.world.typesystem import PLAYER, UNKNOWN, Type, describe, fits


@frozen
class Target:
    """A rule or action that a `do` may run, with the arguments it is given."""

    name: str
    rule: declared.Rule
    given: tuple[syntax.Expression, ...]


def targets(w: Writer, ctx: Context, s: syntax.Do) -> list[Target] | None:
    """What a `do` may run; None where that is a mistake, which is reported."""
    c, env = w.c, ctx.env
    name = call_name(s.call)
    if isinstance(s.call, (syntax.Word, syntax.Call)):
        given = s.call.arguments if isinstance(s.call, syntax.Call) else ()
        if name in c.world.rules:
            return [Target(name, c.world.rules[name], tuple(given))]
        if name not in env.scope:
            near = did_you_mean(name, [*c.world.rules])
            help = near
            if name in c.world.values or name in c.world.subject_values:
                help = f"`{name}` is a value: it is used in expressions"
            message = f"there is no rule or action `{name}`"
            if name in c.world.verbs_absent:
                message = f"`{name}` is left out here by its `only if`"
                help = "put this under `if` with the same condition, or make it an option of `choose one of`"
            c.problems.error("unknown-action", message, s.call.span, help=help)
            return None
    typed = expressions.expression(
        env,
        syntax.Dot(s.call.span, s.call.subject, s.call.name, s.call.name_span, None)
        if isinstance(s.call, syntax.Dot)
        else syntax.Word(s.call.span, name),
    )
    if not typed.type.known:
        return None
    if typed.type.tag != "action":
        c.problems.error(
            "wrong-type",
            f"`do` runs a rule or an action, this is {describe(typed.type)}",
            s.call.span,
        )
        return None
    given = s.call.arguments or () if isinstance(s.call, (syntax.Dot, syntax.Call)) else ()
    return [
        Target(n, c.world.rules[n], tuple(given))
        for n in (k.removeprefix("rule ") for k in w.a.callees(s))
    ]


def params_fit(w: Writer, s: syntax.Do, target: Target) -> bool:
    """Whether a rule can be called with such arguments."""
    rule = target.rule
    open_ones = [p for p in rule.params if p.source is not None]
    needed = len([p for p in rule.params if p.source is None])
    if len(target.given) > len(rule.params) or len(target.given) < needed:
        shown = ", ".join(p.name for p in rule.params)
        w.c.problems.error(
            "wrong-arguments",
            f"`{target.name}` takes {len(rule.params)} in brackets, here stand {len(target.given)}",
            s.span,
            labels=(Label(rule.name_span, "declared here"),),
            help=f"write `do {target.name}({shown})`"
            if rule.params
            else f"write `do {target.name}`",
        )
        return False
    if len(target.given) < len(rule.params) and len(target.given) + len(open_ones) < len(
        rule.params
    ):
        w.c.problems.error("wrong-arguments", f"`{target.name}` needs more in its brackets", s.span)
        return False
    return True


def param_type(w: Writer, rule: declared.Rule, n: int) -> Type:
    """The type of a parameter: as declared, or what its source holds."""
    key = (id(rule), n)
    known = w.c.param_types.get(key)
    if known is not None:
        return known
    param = rule.params[n]
    type = UNKNOWN
    if param.source is None:
        if param.type is not None:
            type = w.c.world.type_of(param.type)
    else:
        probe = new_env(w.c, w.procedure)
        probe.scope["me"] = Variable("me", PLAYER, 0, w.procedure, None, used=True)
        for k in range(n):
            earlier = rule.params[k]
            probe.scope[earlier.name] = Variable(
                earlier.name, param_type(w, rule, k), 0, w.procedure, earlier.name_span, used=True
            )
        hold = w.c.quietly()
        typed = expressions.expression(probe, param.source)
        type = UNKNOWN
        if typed.type.tag in ("zone", "list") and typed.type.of is not None:
            type = typed.type.of.surely() if typed.type.of.tag != "nothing" else UNKNOWN
        elif typed.type.is_thing or typed.type.tag == "int":
            type = typed.type.surely()
        if param.type is not None and type.known:
            wanted = w.c.world.type_of(param.type)
            if wanted.tag == type.tag:
                names = tuple(x for x in type.names if x in wanted.names)
                type = evolve(type, names=names or wanted.names)
        w.c.loudly(hold)
    w.c.param_types[key] = type
    return type


# ---- do as a step -----------------------------------------------------------------------------------------


def do(w: Writer, ctx: Context, s: syntax.Do, rest: Sequence[syntax.Statement]) -> None:
    """`do rule(...)`, `do action(...)`, `do effect of card`."""
    if s.effect:
        _do_effect(w, ctx, s)
        ctx.env.forget(None)
        return
    found = targets(w, ctx, s)
    if found is None:
        return
    found = [t for t in found if params_fit(w, s, t)]
    if not found:
        return
    direct = (
        len(found) == 1
        and isinstance(s.call, (syntax.Word, syntax.Call))
        and call_name(s.call) in w.c.world.rules
    )
    open_ones = any(len(t.given) < len(t.rule.params) for t in found)
    is_action = found[0].rule.what == "action"
    if direct and not open_ones:
        _needs_me(w, ctx, found[0], s)
        if is_action and not ctx.guarded and w.procedure.suspending:
            # an action out of the flow is a possibility scope of its own
            _check_flow_action(w, ctx, s, found[0])
            start, leave, after = (w.rules.block() for _ in range(3))
            w.end(ir.Enter(start), start)
            w.scopes += 1
            with_changes(
                w,
                ctx,
                s,
                lambda: call_body(w, ctx, f"rule {found[0].name}", _arguments(w, ctx, found[0])),
            )
            w.scopes -= 1
            w.end(ir.Goto(leave), leave)
            w.end(ir.Leave(after), after)
        else:
            with_changes(
                w,
                ctx,
                s,
                lambda: call_body(w, ctx, f"rule {found[0].name}", _arguments(w, ctx, found[0])),
            )
        ctx.env.forget(None)
        return
    if not direct:
        call_options.dispatch(w, ctx, s, found)
        ctx.env.forget(None)
        return
    inner = evolve(ctx, guarded=True, outside=False, env=ctx.env.child())
    tail = ctx.tail and ctx.guarded

    def choose_it() -> None:
        if ctx.guarded:
            plan = call_options.do_plan(w, inner, s, tail or w.a.fallible(rest))
            sites.site(
                w, inner, [plan], s.span, call_name(s.call), None, tail=plan_tail(w, plan, tail)
            )
        else:
            plan = call_options.do_plan(w, inner, s, False)
            offering.scoped(w, ctx, s, inner, False, [plan], call_name(s.call))

    if s.changes:
        with_changes(w, ctx, s, choose_it)
    else:
        choose_it()
    ctx.env.forget(None)


def plan_tail(w: Writer, plan: sites.ArmPlan, tail: bool) -> bool:
    """Whether something after the arm may still fail."""
    return tail


def _check_flow_action(w: Writer, ctx: Context, s: syntax.Do, target: Target) -> None:
    if ctx.outside and ctx.surely is None and w.a.fallible(target.rule.body):
        w.c.problems.error(
            "may-be-impossible",
            "this action may be impossible here",
            s.span,
            notes=("nothing keeps it from being reached",),
            help="put it under `if possible` with `otherwise`, offer it with `may`, or write `surely` before it",
        )


def _needs_me(w: Writer, ctx: Context, target: Target, s: syntax.Do) -> None:
    if "me" not in ctx.env.scope and mentions.speaks_of_me(w.rules, f"rule {target.name}"):
        w.c.problems.error(
            "unknown-name",
            f"`{target.name}` speaks of `me`, and nobody is acting here",
            s.span,
            help="put it under `each player` or `as player`",
        )


def _arguments(w: Writer, ctx: Context, target: Target) -> list[Expr]:
    codes: list[Expr] = []
    for n, argument in enumerate(target.given):
        codes.append(argument_code(w, ctx.env, target.rule, n, argument))
    return codes


def argument_code(
    w: Writer, env: Env, rule: declared.Rule | declared.Effect, n: int, argument: syntax.Expression
) -> Expr:
    """An argument as its parameter wants it."""
    param = rule.params[n]
    type = (
        param_type(w, rule, n)
        if isinstance(rule, declared.Rule)
        else w.c.world.type_of(param.type)
        if param.type
        else UNKNOWN
    )
    if not type.known:
        expressions.expression(env, argument)
        return ZERO
    if type.tag == "list":
        listed = expressions.as_list(env, expressions.expression(env, argument, type), argument)
        if (
            listed.type.known
            and listed.type.of is not None
            and listed.type.of.known
            and not fits(listed.type, type)
        ):
            env.c.problems.error(
                "wrong-type",
                f"{describe(type)} is wanted here, this is {describe(listed.type)}",
                argument.span,
            )
        return expressions.checked_list(env, listed, type, argument, f"`{param.name}`")
    wide = evolve(type, low=-(2**31), high=2**31 - 1) if type.tag == "int" else type
    typed = expressions.something(env, argument, wide)
    if (
        type.tag == "int"
        and typed.type.known
        and (typed.type.high < type.low or typed.type.low > type.high)
    ):
        env.c.problems.error(
            "out-of-range",
            f"`{param.name}` is {type.low}..{type.high}, this is {describe(typed.type)}",
            argument.span,
        )
    return (
        expressions.checked_number(env, typed, type, argument, f"`{param.name}`")
        if type.tag == "int"
        else typed.code
    )


def call_body(
    w: Writer, ctx: Context, key: str, arguments: Sequence[Expr], *, me: Expr | None = None
) -> None:
    """Call the procedure of a rule, effect or trigger (with what hangs on it)."""
    who = me if me is not None else ctx.env.scope["me"].read() if "me" in ctx.env.scope else NONE
    entry = w.rules.numbers[key] if _is_original(w, key) else hooks.entry(w.rules, key)
    suspending, number = entry
    if suspending:
        w.call(number, (who, *frame_arguments(w, key, arguments)))
    else:
        w.emit(ir.CallPlain(number, (who, *arguments)))


def frame_arguments(w: Writer, key: str, arguments: Sequence[Expr]) -> list[Expr]:
    """Arguments as the frame of a suspending procedure takes them: of a list its count and its items."""
    rule = w.c.world.rules.get(key.removeprefix("rule ")) if key.startswith("rule ") else None
    if rule is None:
        return list(arguments)
    found: list[Expr] = []
    for n, argument in enumerate(arguments):
        type = param_type(w, rule, n)
        if type.tag == "list":
            slot = w.procedure.slot(type.length + 1)
            w.emit(ir.SetLocalList(slot, type.length, argument))
            found.extend(ir.Local(slot + k) for k in range(type.length + 1))
        else:
            found.append(argument)
    return found


def _is_original(w: Writer, key: str) -> bool:
    """Whether a rule is called by what stands instead of it: then it is run without what hangs on it."""
    hook = w.body.node if w.body is not None else None
    return (
        isinstance(hook, declared.OnAction)
        and hook.when == "instead of"
        and key == f"rule {hook.pattern.name}"
    )


def _do_effect(w: Writer, ctx: Context, s: syntax.Do) -> None:
    """`do effect of card`: the effect written for the card's row, or for its kind."""
    c, env = w.c, ctx.env
    subject_e: syntax.Expression = s.call
    given: tuple[syntax.Expression, ...] = ()
    if isinstance(s.call, syntax.Call):
        subject_e, given = syntax.Word(s.call.span, s.call.name), s.call.arguments
    elif isinstance(s.call, syntax.Dot) and s.call.arguments is not None:
        subject_e, given = (
            syntax.Dot(s.call.span, s.call.subject, s.call.name, s.call.name_span, None),
            s.call.arguments,
        )
    subject = expressions.expression(env, subject_e)
    if not subject.type.known:
        return
    if subject.ids is not None and subject.type.of is not None:
        subject = Typed(subject.type.of, ir.Const(subject.ids[0]))
    if subject.type.opt:
        expressions.may_be_nothing(env, subject_e)
        return
    if subject.type.tag not in ("piece", "kind", "space"):
        c.problems.error(
            "wrong-type",
            f"effects belong to pieces, spaces and values of kinds, this is {describe(subject.type)}",
            subject_e.span,
        )
        return
    groups = effect_groups(w, subject.type)
    covered = {i for ids, _ in groups for i in ids}
    lacking = [i for i in c.world.ids_of(subject.type) if i not in covered]
    names = _not_misspelt(w, _row_names(w, subject.type, lacking))
    if lacking and not names:
        return
    if lacking and subject.constant is None:
        c.problems.error(
            "missing-effect",
            f"`{names[0]}` has no effect",
            s.span,
            notes=(
                f"the effect of {describe(subject.type)} is run here",
                f"without one: {', '.join(names[:6])}{' ...' if len(names) > 6 else ''}",
            ),
            help=f"write `effect {names[0]}` with its steps, or `effect x: Kind` for all of a kind",
        )
        return
    if subject.constant is not None:
        groups = [(ids, n) for ids, n in groups if subject.constant in ids]
        if not groups:
            c.problems.error("missing-effect", f"`{subject_e.span.text}` has no effect", s.span)
            return
    slot = env.procedure.slot()
    w.emit(ir.SetLocal(slot, subject.code))

    def run(n: int) -> None:
        effect = c.world.effects[n]
        if len(given) != len(effect.params):
            c.problems.error(
                "wrong-arguments",
                f"the effect of `{effect.name}` takes {len(effect.params)} in brackets, here stand {len(given)}",
                s.span,
                labels=(Label(effect.name_span, "declared here"),),
            )
            return
        codes = [argument_code(w, env, effect, k, argument) for k, argument in enumerate(given)]
        call_body(
            w, ctx, f"effect {n}", [ir.Local(slot), *codes] if effect.type is not None else codes
        )

    def all_of() -> None:
        if not any(w.a.bodies[f"effect {n}"].suspends for _, n in groups):
            chain: tuple[ir.Stmt, ...] = ()
            for ids, n in reversed(groups):
                body = w.captured(lambda n=n: run(n))  # type: ignore[misc]  # bound at once
                test = _is_one_of(ir.Local(slot), ids)
                chain = body if not chain else (ir.If(test, body, chain),)
            w.emit(*chain)
            return
        after = w.rules.block()
        for k, (ids, n) in enumerate(groups):
            if k == len(groups) - 1:
                run(n)
                w.end(ir.Goto(after), after)
                break
            then, other = w.rules.block(), w.rules.block()
            w.end(ir.Branch(_is_one_of(ir.Local(slot), ids), then, other), then)
            run(n)
            w.end(ir.Goto(after), other)

    with_changes(w, ctx, s, all_of)


def _is_one_of(code: Expr, ids: Sequence[int]) -> Expr:
    if len(ids) == 1:
        return binary("==", code, ir.Const(ids[0]))
    if list(ids) == list(range(ids[0], ids[-1] + 1)):
        return both(binary("<=", ir.Const(ids[0]), code), binary("<=", code, ir.Const(ids[-1])))
    return ir.Has(ir.Const(tuple(ids)), code)


def _row_names(w: Writer, type: Type, ids: Sequence[int]) -> list[str]:
    names: list[str] = []
    for kind in attributes.kinds_of(new_env(w.c, w.procedure), type):
        for i in ids:
            if i in kind.ids and kind.rows[i - kind.first] not in names:
                names.append(kind.rows[i - kind.first])
    return names


def _not_misspelt(w: Writer, names: list[str]) -> list[str]:
    """The rows without those that an effect under a misspelt name is meant for, which is reported there."""
    world = w.c.world
    unknown = [e.name for e in world.effects if e.type is None and e.name not in world.row_names]
    meant = {near for name in unknown for near in near_names(name, names)}
    return [name for name in names if name not in meant]


def effect_groups(w: Writer, type: Type) -> list[tuple[list[int], int]]:
    """For each effect that something of a type may have: whose it is. A row's own effect goes before its kind's."""
    c = w.c
    wanted = set(c.world.ids_of(type))
    taken: set[int] = set()
    groups: list[tuple[list[int], int]] = []
    for own in (True, False):
        for n, effect in enumerate(c.world.effects):
            if (effect.type is None) != own:
                continue
            ids: list[int] = []
            if effect.type is None:
                for found, row_ids in c.world.row_names.get(effect.name, []):
                    if found.tag == type.tag and (found.tag != "kind" or found.names == type.names):
                        ids.extend(i for i in row_ids if i in wanted)
            else:
                kind = c.world.type_named(effect.type.name)
                if kind is not None and kind.tag == type.tag:
                    ids = [i for i in c.world.ids_of(kind) if i in wanted]
            ids = sorted(i for i in ids if i not in taken)
            taken.update(ids)
            if ids:
                groups.append((ids, n))
    return groups


def with_changes(w: Writer, ctx: Context, s: syntax.Do, run: Callable[[], None]) -> None:
    """Changes of open values for one call: kept in cells, restored afterwards."""
    c, env = w.c, ctx.env
    if not s.changes:
        run()
        return
    saved: list[tuple[int, int]] = []
    for change in s.changes:
        written = change.value
        name = call_name(written)
        cells = c.overrides.get(name)
        value = next(
            (
                v
                for v in [
                    *c.world.subject_values.get(name, []),
                    *([c.world.values[name]] if name in c.world.values else []),
                ]
            ),
            None,
        )
        if value is None or cells is None:
            c.problems.error(
                "unknown-name",
                f"there is no value `{name}`",
                written.span,
                help=did_you_mean(name, list(c.world.subject_values)),
            )
            continue
        if not value.open:
            c.problems.error(
                "not-open-value",
                f"`{name}` is not open to changes",
                written.span,
                labels=(Label(value.name_span, "declared here"),),
                help=f"write `open value {name} ...`",
            )
            continue
        info = values.named_info(c, value, written.span)
        subject: Expr = ZERO
        if isinstance(written, syntax.Dot) and info.parameters:
            subject = expressions.something(env, written.subject, info.parameters[0][1]).code
        slots = env.procedure.slot(5)
        for k in range(5):
            w.emit(ir.SetLocal(slots + k, load(cells + k)))
        saved.append((cells, slots))
        more: Expr = ZERO
        given: Expr = ZERO
        exact: Expr = ZERO
        for part in change.changes:
            if part.word == "is":
                wide = (
                    evolve(info.type, low=-(2**31), high=2**31 - 1)
                    if info.type.tag == "int"
                    else info.type
                )
                given, exact = ONE, expressions.something(env, part.amount, wide).code
            elif part.word in ("more", "less"):
                amount = expressions.number(env, part.amount).code
                more = binary("+" if part.word == "more" else "-", more, amount)
            else:
                c.problems.error(
                    "wrong-type",
                    f"`{part.word}` is not a change for one call",
                    part.span,
                    help="use `is`, `more` or `less`",
                )
        for k, code in enumerate((ONE, subject, given, exact, more)):
            w.emit(ir.Store(ir.Const(cells + k), code))
    run()
    for cells, slots in reversed(saved):
        for k in range(5):
            w.emit(ir.Store(ir.Const(cells + k), ir.Local(slots + k)))
