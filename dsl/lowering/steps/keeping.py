"""Lowers `keep`, which stores the current position, and `forget`, which deletes all stored positions."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import condition_triggers
from rulewright.dsl.lowering.values import positions
from rulewright.dsl.tree import syntax


@writes(syntax.Keep)
def keep(w: Writer, ctx: Context, s: syntax.Keep) -> None:
    """Lower `keep diagram` or `forget diagram`."""
    if s.name not in w.c.model.positions:
        near = did_you_mean(s.name, list(w.c.model.positions))
        w.c.problems.error(
            "unknown-name",
            f"there is no position `{s.name}`",
            s.name_span,
            help=near or f"declare it: `position {s.name} up to 100 = list(c in Cell: ...), ...`",
        )
        return
    procedure = positions.keeper if s.word == "keep" else positions.forgetter
    w.emit(ir.CallPlain(procedure(w.c, s.name), ()))
    condition_triggers.after_step(w, ctx, s)
