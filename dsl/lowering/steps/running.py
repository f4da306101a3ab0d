"""Lowers calls of rules, effects and triggers, including calls that change open values while they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.diagnostics import Fix, Label
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, Expr, binary, load
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import call_triggers
from rulewright.dsl.lowering.steps.parameters import frame_arguments
from rulewright.dsl.lowering.values import expressions, values
from rulewright.dsl.model.types import widest
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, name_span


def call_body(w: Writer, ctx: Context, key: str, arguments: Sequence[Expr]) -> None:
    """Emit a call of a rule, effect or trigger. The hooks of a rule run with it."""
    who = ctx.env.scope["me"].read() if "me" in ctx.env.scope else NONE
    entry = (
        w.rules.numbers[key]
        if _is_original(w, key)
        else call_triggers.called_procedure(w.rules, key)
    )
    w.call_any(entry, (who, *(frame_arguments(w, key, arguments) if entry[0] else arguments)))


def _is_original(w: Writer, key: str) -> bool:
    """Return whether an `instead of` hook calls the rule that it replaces. In such a call the rule
    runs without its hooks.
    """
    hook = w.body.node if w.body is not None else None
    return (
        isinstance(hook, declared.OnAction)
        and hook.when == "instead of"
        and key == f"rule {hook.pattern.name}"
    )


def with_changes(w: Writer, ctx: Context, s: syntax.Do, run: Callable[[], None]) -> None:
    """Emit the steps of `run` between steps that change open values and steps that undo the changes."""
    c, env = w.c, ctx.env
    if not s.changes:
        run()
        return
    saved: list[tuple[int, int]] = []
    for change in s.changes:
        written = change.value
        name = call_name(written)
        cells = c.overrides.get(name)
        of_subjects = c.model.subject_values.get(name)
        value = of_subjects[0] if of_subjects else c.model.values.get(name)
        if value is None or cells is None:
            c.problems.none_called("value", name, written.span, c.model.subject_values)
            continue
        if not value.open:
            c.problems.error(
                "not-open-value",
                f"`{name}` is not open to changes",
                written.span,
                labels=(Label(value.name_span, "declared here"),),
                help=f"write `open value {name} ...`",
                fix=Fix(value.span.before, "open "),
            )
            continue
        info = values.value_info(c, value, written.span)
        c.model.facts.refers(name_span(written), "value", name, value.name_span)
        subject: Expr = ZERO
        if isinstance(written, syntax.Dot) and info.parameters:
            subject = expressions.value_of_type(env, written.subject, info.parameters[0][1]).code
        slots = env.procedure.slot(5)
        for k in range(5):
            w.emit(ir.SetLocal(slots + k, load(cells + k)))
        saved.append((cells, slots))
        more: Expr = ZERO
        given: Expr = ZERO
        exact: Expr = ZERO
        for part in change.changes:
            if part.word == "is":
                typed = expressions.value_of_type(env, part.amount, widest(info.type))
                given, exact = ONE, typed.code
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
