"""Lowers `limit`, which restricts how often a step may be done."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import ONE, ZERO, binary, load
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import messages
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.tree import syntax


def limit_cells(w: Writer, s: syntax.Limit) -> int:
    """Return the first of the cells that count how often each player has done a limited step."""
    cells = w.rules.limits.get(id(s))
    if cells is None:
        cells = w.c.layout.take(len(w.c.model.seats))
        w.rules.limits[id(s)] = cells
        w.c.model.refers_to_rule(s.per_span, s.per)
        if s.per != "game" and s.per not in w.c.model.rules:
            w.c.problems.none_called(
                "rule",
                s.per,
                s.per_span,
                [*w.c.model.rules, "game"],
                "the count starts again when the rule of that name starts; `per game` counts through the whole game",
                code="unknown-action",
                end=" to count by",
            )
    return cells


@writes(syntax.Limit)
def _limit(w: Writer, ctx: Context, s: syntax.Limit) -> None:
    env = ctx.env
    count = expressions.number(env, s.count)
    cells = limit_cells(w, s)
    me = env.scope["me"].read() if "me" in env.scope else ZERO
    used = load(cells, me)
    message = messages.limit_message(w.c, s, ctx.tags)
    messages.fail_with(w, ctx, binary(">=", used, count.code), message, (count.code,), s)
    w.emit(ir.Store(binary("+", ir.Const(cells), me), binary("+", ONE, used)))
