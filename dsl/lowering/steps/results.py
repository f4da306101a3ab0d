"""Lowers the result of a rule. Cells store the result from the end of the rule until the caller reads it."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import ZERO, Expr
from rulewright.dsl.lowering.emit.core import Compiler, Result
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.lowering.values import stored
from rulewright.dsl.model import types
from rulewright.dsl.model.records import READ_LIMIT
from rulewright.dsl.model.types import UNKNOWN
from rulewright.dsl.tree import declared


def result(c: Compiler, rule: declared.Rule) -> Result | None:
    """Return the cells that store the result of a rule; None if the rule has no result."""
    if rule.gives is None:
        return None
    found = c.results.get(rule.name)
    if found is None:
        type = c.model.type_of(rule.gives)
        length = type.length if isinstance(type, types.List) else 0
        if length > READ_LIMIT:
            c.problems.error(
                "not-storable",
                f"a list of up to {length:,} things is too long for a result (at most {READ_LIMIT:,})",
                rule.gives.span,
                help="write how many there are at most, or make it a `value`",
            )
            type, length = UNKNOWN, 0
        found = c.results[rule.name] = Result(c.layout.take(length + 1), type)
    return found


def read_code(c: Compiler, found: Result) -> Expr:
    """Return code that reads the result that a rule has just stored."""
    if isinstance(found.type, types.List):
        return ir.CallValue(routine(c, "list at"), (ir.Const(found.first),))
    return ir.Load(ir.Const(found.first))


def clear(w: Writer, found: Result) -> None:
    """Emit steps that clear the cells of a result, so that equal positions have equal states."""
    if isinstance(found.type, types.List):
        store(w, found, ir.Const(()))
    else:
        store(w, found, ZERO)


def restore(w: Writer, found: Result, slot: int) -> None:
    """Emit steps that restore a result from a local of a suspending procedure."""
    is_list = isinstance(found.type, types.List)
    store(w, found, ir.LocalList(slot) if is_list else ir.Local(slot))


def save(w: Writer, found: Result) -> int:
    """Emit steps that keep a result in a local of a suspending procedure while other rules run.
    Return the slot of the local.
    """
    if isinstance(found.type, types.List):
        slot = w.procedure.slot(found.type.length + 1)
        w.emit(ir.SetLocalList(slot, found.type.length, read_code(w.c, found)))
    else:
        slot = w.procedure.slot()
        w.emit(ir.SetLocal(slot, read_code(w.c, found)))
    return slot


def store(w: Writer, found: Result, code: Expr) -> None:
    """Emit steps that store the result of a rule."""
    if isinstance(found.type, types.List):
        writer = stored.list_writer(w.c, found.type.length, is_sorted=not found.type.ordered)
        w.emit(ir.CallPlain(writer, (ir.Const(found.first), code)))
    else:
        w.emit(ir.Store(ir.Const(found.first), code))
