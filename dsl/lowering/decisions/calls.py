"""Lowers steps that call rules, actions or effects with `do`, including calls that change values while they run."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.diagnostics import Fix, Label
from rulewright.dsl.diagnostics.suggest import near_names
from rulewright.dsl.lowering.decisions import call_options, offering, sites
from rulewright.dsl.lowering.decisions.targets import Target, find_targets, params_fit
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import Expr, between, binary
from rulewright.dsl.lowering.emit.core import Typed
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import changing, messages, results
from rulewright.dsl.lowering.steps.parameters import argument_code
from rulewright.dsl.lowering.steps.running import call_body, with_changes
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.model import types
from rulewright.dsl.model.types import UNKNOWN, Type, are_comparable, describe, fits
from rulewright.dsl.text.names import snake
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name

# ---- do as a step -----------------------------------------------------------------------------------------


@writes(syntax.LetDo)
def let_do(w: Writer, ctx: Context, s: syntax.LetDo) -> None:
    """Lower `let name = do rule(...)`, which stores the result of the rule in a local."""
    call, env = s.call, ctx.env
    rule = w.c.model.rules.get(call_name(call.call))
    if isinstance(call.call, syntax.Dot) or call.effect:
        rule = None
    found = results.result(w.c, rule) if rule is not None else None
    do(w, evolve(ctx, wants_result=True), call)
    if found is None or rule is None:
        if rule is not None:
            w.c.problems.error(
                "missing-result",
                f"`{rule.name}` gives no result",
                call.span,
                labels=(Label(rule.name_span, "declared here"),),
                help=f"write `do {call.call.span.text}`, or `gives TYPE` in the head of the {rule.what}",
            )
        elif call.effect or call_name(call.call) in env.scope or isinstance(call.call, syntax.Dot):
            w.c.problems.error(
                "missing-result",
                "only a rule that is called by its name gives a result",
                call.span,
                help="write `let NAME = do RULE(...)`",
            )
        env.declare(s.name, UNKNOWN, s.name_span)
        return
    wanted = w.c.model.type_of(s.type) if s.type is not None else found.type
    if s.type is not None and not _can_store(wanted, found.type):
        w.c.wrong_type(
            s.type.span,
            f"`{rule.name}` gives {describe(found.type)}",
            wanted,
            f"write `let {s.name} = ...`: the head of the rule gives its type",
        )
        wanted = found.type
    variable = env.declare(s.name, wanted, s.name_span)
    variable.has_written_type = True
    changing.assign_local(w, variable, results.read_code(w.c, found))
    results.clear(w, found)


def _can_store(wanted: Type, given: Type) -> bool:
    """Return whether a name of the type `wanted` can store every result of the type `given`."""
    if isinstance(wanted, types.List) or isinstance(given, types.List):
        return wanted == given or not (wanted.known and given.known)
    is_wider = (
        not isinstance(wanted, types.Number)
        or not isinstance(given, types.Number)
        or wanted.low <= given.low <= given.high <= wanted.high
    )
    return is_wider and fits(given, wanted)


@writes(syntax.Do)
def do(w: Writer, ctx: Context, s: syntax.Do) -> None:
    """Lower `do rule(...)`, `do action(...)` or `do effect of card`."""
    _do(w, ctx, s)
    rule = w.c.model.rules.get(call_name(s.call))
    given = results.result(w.c, rule) if rule is not None and not ctx.wants_result else None
    if given is not None:
        results.clear(w, given)


def _do(w: Writer, ctx: Context, s: syntax.Do) -> None:
    if s.effect:
        _do_effect(w, ctx, s)
        ctx.env.forget(None)
        return
    found = find_targets(w, ctx, s)
    if found is None:
        return
    found = [t for t in found if params_fit(w, s, t)]
    if not found:
        return
    direct = (
        len(found) == 1
        and isinstance(s.call, (syntax.Word, syntax.Call))
        and call_name(s.call) in w.c.model.rules
    )
    open_ones = any(len(t.given) < len(t.rule.params) for t in found)
    is_action = found[0].rule.what == "action"
    if s.prompt is not None and not (direct and open_ones):
        w.c.problems.error(
            "unexpected-word",
            "nothing is asked here",
            s.prompt.span,
            help="remove it: `prompt` belongs to a `do` whose action has parameters to choose",
        )

    def call() -> None:
        call_body(w, ctx, f"rule {found[0].name}", _arguments(w, ctx, found[0]))

    if direct and not open_ones:
        _needs_me(w, ctx, f"rule {found[0].name}", found[0].name, s)
        if is_action and not ctx.guarded and w.procedure.suspending:
            # an action that a step calls has a possibility scope of its own
            _check_flow_action(w, ctx, s, found[0])
            with w.scope():
                with_changes(w, ctx, s, call)
        else:
            with_changes(w, ctx, s, call)
        ctx.env.forget(None)
        return
    if not direct:
        call_options.dispatch(w, ctx, s, found)
        ctx.env.forget(None)
        return
    inner = evolve(ctx, guarded=True, outside=False, env=ctx.env.child())
    tail = ctx.tail and ctx.guarded
    prompt = messages.action_question(w, s)

    def choose_it() -> None:
        if ctx.guarded:
            plan = call_options.do_plan(w, inner, s, tail or w.a.can_fail(ctx.rest))
            sites.site(w, inner, [plan], s.span, call_name(s.call), prompt, tail=tail)
        else:
            plan = call_options.do_plan(w, inner, s, False)
            offering.choose_in_scope(w, ctx, s, inner, False, [plan], prompt, call_name(s.call))

    if s.changes:
        with_changes(w, ctx, s, choose_it)
    else:
        choose_it()
    ctx.env.forget(None)


def _check_flow_action(w: Writer, ctx: Context, s: syntax.Do, target: Target) -> None:
    if ctx.outside and ctx.surely is None and w.a.can_fail(target.rule.body):
        w.c.problems.error(
            "may-be-impossible",
            "this action may be impossible here",
            s.span,
            notes=("nothing prevents the game from reaching it",),
            help="put it under `if possible` with `otherwise`, offer it with `may`, or write `surely` before it",
            fix=Fix(s.span.before, "surely "),
        )


def _needs_me(w: Writer, ctx: Context, key: str, name: str, s: syntax.Do) -> bool:
    """Return whether a call needs an acting player although there is none. If so, report an error."""
    is_awake = w.body is not None and w.a.is_awake(w.body.key)
    if "me" in ctx.env.scope or not w.a.needs_me(key, is_awake=is_awake):
        return False
    w.c.problems.error(
        "unknown-name",
        f"`{name}` uses `me` or asks a player, but nobody is acting here",
        s.span,
        help="put it under `each player` or `as player`",
    )
    return True


def _arguments(w: Writer, ctx: Context, target: Target) -> list[Expr]:
    codes: list[Expr] = []
    for n, argument in enumerate(target.given):
        codes.append(argument_code(w, ctx.env, target.rule, n, argument))
    return codes


def _params_text(params: Sequence[declared.Param]) -> str:
    """Return, in brackets, the parameters of an effect as an author writes them; "" if the effect has none."""
    return f"({', '.join(param.name for param in params)})" if params else ""


def _do_effect(w: Writer, ctx: Context, s: syntax.Do) -> None:
    """Lower `do effect of card`, which runs the effect of the card's row or, if the row has none,
    the effect of its kind.
    """
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
    subject = recursion.expression(env, subject_e)
    if not subject.type.known:
        return
    if subject.ids == ():
        expressions.report_no_copies(env, subject_e)
        return
    if subject.ids is not None and isinstance(subject.type, types.Several):
        subject = Typed(subject.type.of, ir.Const(subject.ids[0]))
    if subject.type.opt:
        expressions.report_may_be_nothing(env, subject_e)
        return
    if not isinstance(subject.type, types.Named):
        c.wrong_type(
            subject_e.span,
            "effects belong to pieces, spaces and values of kinds",
            subject.type,
            "write the name of a card, or of a value of a kind: `for each card in ZONE`, below "
            "it `do effect of card`",
        )
        return
    groups = effect_groups(w, subject.type)
    covered = {i for ids, _ in groups for i in ids}
    lacking = [i for i in c.model.ids_of(subject.type) if i not in covered]
    kinds = map(c.model.thing, subject.type.names)
    kind = next(
        (k.name for k in kinds if k is not None and lacking and lacking[0] in k.ids), "Card"
    )
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
                f"without an effect: {', '.join(names[:6])}{' ...' if len(names) > 6 else ''}",
            ),
            help=f"write `effect {names[0]}` with its steps, or `effect {snake(kind)}: {kind}` for all that have none",
        )
        return
    if subject.constant is not None:
        groups = [(ids, n) for ids, n in groups if subject.constant in ids]
        if not groups:
            c.problems.error(
                "missing-effect",
                f"`{subject_e.span.text}` has no effect",
                s.span,
                help=f"write `effect {subject_e.span.text}` with its steps below",
            )
            return
    slot = env.procedure.slot()
    w.emit(ir.SetLocal(slot, subject.code))
    if any(
        _needs_me(w, ctx, f"effect {n}", f"effect {c.model.effects[n].name}", s) for _, n in groups
    ):
        return

    def run_effect(n: int) -> None:
        effect = c.model.effects[n]
        if len(given) != len(effect.params):
            c.problems.error(
                "wrong-arguments",
                f"the effect of `{effect.name}` takes {len(effect.params)} in brackets, but gets {len(given)}",
                s.span,
                labels=(Label(effect.name_span, "declared here"),),
                help=f"write `do effect of {subject_e.span.text}{_params_text(effect.params)}`",
            )
            return
        codes = [argument_code(w, env, effect, k, argument) for k, argument in enumerate(given)]
        call_body(
            w, ctx, f"effect {n}", [ir.Local(slot), *codes] if effect.type is not None else codes
        )

    def run_all() -> None:
        if not any(w.a.bodies[f"effect {n}"].suspends for _, n in groups):
            chain: tuple[ir.Stmt, ...] = ()
            for ids, n in reversed(groups):
                body = w.capture(lambda n=n: run_effect(n))  # type: ignore[misc]  # bound at once
                test = _member_test(ir.Local(slot), ids)
                chain = body if not chain else (ir.If(test, body, chain),)
            w.emit(*chain)
            return
        after = w.rules.block()
        *others, (_, last) = groups
        for ids, n in others:
            with w.case(_member_test(ir.Local(slot), ids), after):
                run_effect(n)
        run_effect(last)
        w.end(ir.Goto(after), after)

    with_changes(w, ctx, s, run_all)


def _member_test(code: Expr, ids: Sequence[int]) -> Expr:
    if len(ids) == 1:
        return binary("==", code, ir.Const(ids[0]))
    if list(ids) == list(range(ids[0], ids[-1] + 1)):
        return between(ir.Const(ids[0]), code, ir.Const(ids[-1]))
    return ir.Has(ir.Const(tuple(ids)), code)


def _row_names(w: Writer, type: Type, ids: Sequence[int]) -> list[str]:
    names: list[str] = []
    for kind in w.c.model.kinds_of(type):
        for i in ids:
            if i in kind.ids and kind.rows[i - kind.first] not in names:
                names.append(kind.rows[i - kind.first])
    return names


def _not_misspelt(w: Writer, names: list[str]) -> list[str]:
    """Return the names except those that resemble the name of an unknown effect: the author
    probably meant one of those.
    """
    model = w.c.model
    unknown = [e.name for e in model.effects if e.type is None and e.name not in model.row_names]
    meant = {near for name in unknown for near in near_names(name, names)}
    return [name for name in names if name not in meant]


def effect_groups(w: Writer, type: Type) -> list[tuple[list[int], int]]:
    """Return the effects that things of a type may have: for each effect, the ids of the things
    that have it, and its index.

    The effect of a row takes precedence over the effect of its kind.
    """
    c = w.c
    wanted = set(c.model.ids_of(type))
    taken: set[int] = set()
    groups: list[tuple[list[int], int]] = []
    for own in (True, False):
        for n, effect in enumerate(c.model.effects):
            if (effect.type is None) != own:
                continue
            ids: list[int] = []
            if effect.type is None:
                for found, row_ids in c.model.row_names.get(effect.name, []):
                    if are_comparable(found, type) and (
                        not isinstance(found, types.Kind) or found.names == type.names
                    ):
                        ids.extend(i for i in row_ids if i in wanted)
            else:
                kind = c.model.type_named(effect.type.name)
                if kind is not None and are_comparable(kind, type):
                    ids = [i for i in c.model.ids_of(kind) if i in wanted]
            ids = sorted(i for i in ids if i not in taken)
            taken.update(ids)
            if ids:
                groups.append((ids, n))
    return groups
