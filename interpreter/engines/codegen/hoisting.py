"""Stores the results of calls at their first use, if they stay the same in a loop or a whole procedure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import (
    NUMBERS,
    PARTS,
    For,
    locals_in,
    slots,
    walk,
)
from rulewright.interpreter.engines.codegen.code import Code
from rulewright.interpreter.engines.codegen.expressions import Writer
from rulewright.interpreter.engines.codegen.scopes import Available


def put_off(w: Writer, loop: For) -> None:
    """Store the results of calls at their first use, if they are the same in every iteration."""
    if w.pure:
        _keep(w, _long_parts(w, loop.body, slots(walk(loop.body))[1] | {loop.slot}))


def put_off_whole(w: Writer, body: tuple[ir.Stmt, ...]) -> None:
    """Store the results of calls at their first use, if they are the same in a whole procedure and
    used more than once."""
    if w.pure:
        met = Counter(_long_parts(w, body, slots(walk(body))[1]))
        _keep(w, [node for node, times in met.items() if times > 1])


def _keep(w: Writer, wanted: Iterable[ir.Expr]) -> None:
    for node in wanted:
        if w.available_code(node) is None:
            name = f"v0{w.mark()}"
            w.line(f"{name} = None")
            kept = Code(f"({name} if {name} is not None else ({name} := {w.value(node).text}))")
            w.available.append(Available(w.scope, node, kept))


def _long_parts(w: Writer, body: tuple[ir.Stmt, ...], changed: set[int]) -> Iterator[ir.Expr]:
    """Yield expressions with calls that are not inlined, and that depend on no local in `changed`.

    An expression in a loop is yielded twice.
    """
    todo: list[tuple[object, int]] = [(body, 1)]
    while todo:
        node, times = todo.pop()
        if isinstance(node, tuple):
            todo.extend((part, times) for part in reversed(node))
        elif isinstance(node, KEPT) and _is_long(w, node) and not locals_in(node) & changed:
            yield from [node] * times
        else:
            is_loop = isinstance(node, (ir.ForRange, ir.ForEach, ir.While))
            for name in reversed(PARTS.get(type(node), ())):
                more = is_loop and name in ("body", "condition")
                todo.append((getattr(node, name), 2 if more else times))


def _is_long(w: Writer, node: object) -> bool:
    """Return whether an expression makes calls that count no marks."""
    knowledge, counts = w.knowledge, w.flags.counts
    return any(
        isinstance(part, ir.CallValue) and knowledge.is_called(part.procedure, counts)
        for part in walk(node)
    ) and not (counts and knowledge.is_marked(node))


def numbers_in(node: object) -> set[int]:
    """Return the locals that must be numbers, because they are used as numbers."""
    return {
        part.slot
        for outer in walk(node)
        for name in NUMBERS.get(type(outer), ())
        if isinstance(part := getattr(outer, name), ir.Local)
    }


KEPT = (ir.Choice, ir.Binary, ir.CallValue, ir.Not, ir.And, ir.Or)
"""The classes of expressions that may be worth keeping after their first use."""
