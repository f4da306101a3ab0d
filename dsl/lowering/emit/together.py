"""Lowers `together` blocks. The changes in such a block stay hidden until all players are ready, so
the previous counts of things are stored.

See `rulewright.dsl.checks.check_together`.
"""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import ZERO, load
from rulewright.dsl.lowering.emit.layout import CellGroup
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.tree import syntax


def begin_together(w: Writer, s: syntax.EachPlayer) -> tuple[ir.Stmt, ...]:
    """Begin a `together` block: store the counts of things that may change. Return the last steps of the block."""
    layout = w.c.layout
    changed = w.a.changes(s.body)
    groups = [
        group
        for group in layout.groups
        if group.name in changed
        and group.owner.name == "player"
        and group.what in ("zone", "tokens")
        and group.seen != "all"
    ]
    if not groups:
        return ()
    if layout.together < 0:
        layout.together = layout.take(1)
    w.rules.apart.append(frozenset(group.name for group in groups))
    for group in groups:
        if "size" in group.except_for:
            _store_counts(w, group)
    w.emit(ir.Store(ir.Const(layout.together), ir.Const(len(w.rules.apart))))
    return (ir.Store(ir.Const(layout.together), ZERO),)


def _store_counts(w: Writer, group: CellGroup) -> None:
    layout = w.c.layout
    cells = group.per_owner * group.owner.places
    if group.as_begun < 0:
        group.as_begun = layout.take(cells)
    first = group.base if group.what == "tokens" else layout.count + group.base
    slot = w.procedure.slot()
    at = ir.Local(slot)
    copy = ir.Store(ir.Binary("+", ir.Const(group.as_begun), at), load(first, at))
    w.emit(ir.ForRange(slot, ZERO, ir.Const(cells - 1), (copy,)))
