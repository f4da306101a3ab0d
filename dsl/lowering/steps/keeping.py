"""Lowers `keep`, which stores the current position, and `forget`, which deletes all stored positions."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import condition_triggers
from rulewright.dsl.lowering.values import positions
from rulewright.dsl.tree import syntax


@writes(syntax.Keep)
def keep(w: Writer, ctx: Context, s: syntax.Keep) -> None:
    """Lower `keep diagram` or `forget diagram`."""
    if s.name not in w.c.model.positions:
        declaring = f"declare it: `position {s.name} up to 100 = list(c in Cell: ...), ...`"
        w.c.problems.none_called("position", s.name, s.name_span, w.c.model.positions, declaring)
        return
    procedure = positions.keeper if s.word == "keep" else positions.forgetter
    w.emit(ir.CallPlain(procedure(w.c, s.name), ()))
    condition_triggers.after_step(w, ctx, s)
