"""Finds the rules and actions that a `do` may run. The module emits no code."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl.diagnostics.advice import Help, write
from rulewright.dsl.diagnostics.diagnostics import Fix, Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.model import types
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name


@frozen
class Target:
    """A rule or action that a `do` may run, together with its arguments."""

    name: str
    rule: declared.Rule
    given: tuple[syntax.Expression, ...]


def find_targets(w: Writer, ctx: Context, s: syntax.Do) -> list[Target] | None:
    """Return the rules and actions that a `do` may run. After an error, which is reported here, return None."""
    c, env = w.c, ctx.env
    name = call_name(s.call)
    if not name:
        text = s.call.span.text
        near = as_name(text.partition("(")[0])
        meant = f"{near}{text[len(near) :]}" if near in c.model.rules else ""
        help: Help = f"write `do {meant}`" if meant else did_you_mean(near, [*c.model.rules])
        c.problems.error(
            "unknown-action",
            f"there is no rule or action `{text}`",
            s.call.span,
            help=help or "write `do` and the name of a rule or an action",
            fix=Fix(s.call.span, meant) if meant else None,
        )
        return None
    if isinstance(s.call, (syntax.Word, syntax.Call)):
        given = s.call.arguments if isinstance(s.call, syntax.Call) else ()
        if name in c.model.rules:
            start = s.call.span.start
            # For an action named by an expression, the text does not contain the name of the call.
            if s.call.span.source.text.startswith(name, start):
                c.model.refers_to_rule(Span(s.call.span.source, start, start + len(name)), name)
            return [Target(name, c.model.rules[name], tuple(given))]
        if name not in env.scope:
            help = did_you_mean(name, [*c.model.rules])
            if name in c.model.values or name in c.model.subject_values:
                help = f"`{name}` is a value: it is used in expressions"
            message = f"there is no rule or action `{name}`"
            if name in c.model.verbs_absent:
                message = f"`{name}` is left out here by its `only if`"
                help = "put this under `if` with the same condition, or make it an option of `choose one of`"
            help = (
                help
                or f"write `rule {name}` or `action {name}` at the left margin, and its steps below"
            )
            c.problems.error("unknown-action", message, s.call.span, help=help)
            return None
    typed = recursion.expression(
        env,
        syntax.Dot(s.call.span, s.call.subject, s.call.name, s.call.name_span, None)
        if isinstance(s.call, syntax.Dot)
        else syntax.Word(s.call.span, name),
    )
    if not typed.type.known:
        return None
    if not isinstance(typed.type, types.Action):
        c.wrong_type(
            s.call.span,
            "`do` runs a rule or an action",
            typed.type,
            "write `do` and the name of a rule or an action; a number is changed by `set`, `add`, `lose`",
        )
        return None
    given = s.call.arguments or () if isinstance(s.call, (syntax.Dot, syntax.Call)) else ()
    return [
        Target(n, c.model.rules[n], tuple(given))
        for n in (k.removeprefix("rule ") for k in w.a.callees(s))
    ]


def action_expression(s: syntax.Do) -> syntax.Expression:
    """Return the expression that names the action of a `do`."""
    if isinstance(s.call, syntax.Dot):
        return syntax.Dot(s.call.span, s.call.subject, s.call.name, s.call.name_span, None)
    return s.call


def action_number(w: Writer, target: Target) -> int:
    """Return the number by which stored values represent an action."""
    return w.c.model.action_names.index(target.name)


def target_step(s: syntax.Do, target: Target) -> syntax.Do:
    """Return a `do` step that calls `target` by its name. The step `s` may name the action by an expression."""
    call: syntax.Expression = syntax.Word(s.call.span, target.name)
    if target.given:
        call = syntax.Call(s.call.span, target.name, target.given)
    return syntax.Do(s.span, s.tags, call, False, s.changes)


def is_left_out(w: Writer, arm: syntax.OptionArm | syntax.Do) -> bool:
    """Return whether an arm does an action that its `only if` excludes in this variant."""
    if not isinstance(arm, syntax.Do) or arm.effect:
        return False
    name = call_name(arm.call)
    return name in w.c.model.verbs_absent and name not in w.c.model.rules


def params_fit(w: Writer, s: syntax.Do, target: Target) -> bool:
    """Return whether a rule can be called with the given arguments. If it cannot, report an error."""
    rule = target.rule
    open_ones = [p for p in rule.params if p.source is not None]
    needed = len([p for p in rule.params if p.source is None])
    if len(target.given) > len(rule.params) or len(target.given) < needed:
        given = [argument.span.text for argument in target.given][: len(rule.params)]
        shown = ", ".join([*given, *(p.name for p in rule.params[len(given) :])])
        w.c.problems.error(
            "wrong-arguments",
            f"`{target.name}` takes {len(rule.params)} in brackets, but gets {len(target.given)}",
            s.span,
            labels=(Label(rule.name_span, "declared here"),),
            help=write(f"do {target.name}({shown})") if rule.params else write(f"do {target.name}"),
        )
        return False
    if len(target.given) < len(rule.params) and len(target.given) + len(open_ones) < len(
        rule.params
    ):
        w.c.problems.error(
            "wrong-arguments",
            f"`{target.name}` needs more in its brackets",
            s.span,
            help=write(f"do {target.name}({', '.join(p.name for p in rule.params)})"),
        )
        return False
    return True
