"""Blocks done together: their changes stay hidden until all players are ready, so the old numbers of things are kept.

See `rulewright.dsl.checks.check_together`.
"""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import ZERO, load
from rulewright.dsl.lowering.emit.layout import Family
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.tree import syntax


def begin_together(w: Writer, s: syntax.EachPlayer) -> tuple[ir.Stmt, ...]:
    """Begin a block that players do together: keep the numbers of things that may change; gives its last steps."""
    layout = w.c.layout
    changed = w.a.changes(s.body)
    families = [
        family
        for family in layout.families
        if family.name in changed
        and family.owner.name == "player"
        and family.what in ("zone", "tokens")
        and family.seen != "all"
    ]
    if not families:
        return ()
    if layout.together < 0:
        layout.together = layout.take(1)
    w.rules.apart.append(frozenset(family.name for family in families))
    for family in families:
        if "size" in family.except_for:
            _keep_numbers(w, family)
    w.emit(ir.Store(ir.Const(layout.together), ir.Const(len(w.rules.apart))))
    return (ir.Store(ir.Const(layout.together), ZERO),)


def _keep_numbers(w: Writer, family: Family) -> None:
    layout = w.c.layout
    cells = family.per_owner * family.owner.places
    if family.as_begun < 0:
        family.as_begun = layout.take(cells)
    first = family.base if family.what == "tokens" else layout.count + family.base
    slot = w.procedure.slot()
    at = ir.Local(slot)
    copy = ir.Store(ir.Binary("+", ir.Const(family.as_begun), at), load(first, at))
    w.emit(ir.ForRange(slot, ZERO, ir.Const(cells - 1), (copy,)))
