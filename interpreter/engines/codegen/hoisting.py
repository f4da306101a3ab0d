"""Moves expressions out of a loop, so that they are computed once before it, or only when they are first needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import (
    NUMBERS,
    PARTS,
    For,
    is_constant_cell,
    locals_in,
    slots,
    walk,
)
from rulewright.interpreter.engines.codegen.code import Code
from rulewright.interpreter.engines.codegen.expressions import Writer
from rulewright.interpreter.engines.codegen.scopes import Available


def work_out_early(w: Writer, loop: For) -> None:
    """Write code before a loop that stores expressions in variables.

    The expressions have the same value in every iteration and cannot fail.
    """
    changed = slots(walk(loop.body))[1] | {loop.slot}
    edges = (loop.low, loop.high) if isinstance(loop, ir.ForRange) else (loop.of,)
    tables = w.knowledge.program.tables
    sure = [(n.index, len(tables[n.table])) for n in walk(edges) if isinstance(n, ir.Table)]
    # A loop over a list that was just built usually ends at its first test.
    is_collected = isinstance(loop, ir.ForEach) and isinstance(loop.of, ir.Local)
    todo: list[object] = [_always_evaluated(loop.body) if is_collected else loop.body]
    found: dict[int, tuple[ir.Expr, bool]] = {}
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(reversed(node))
            continue
        risks: list[object] = []
        if isinstance(node, WORTHY) and _is_early(w, node, changed, sure, risks):
            if all(node != other for other, _ in found.values()):
                found[len(found)] = node, bool(risks)
        else:
            todo.extend(getattr(node, name) for name in reversed(PARTS.get(type(node), ())))
    for expression, is_risky in found.values():
        code = w.value(expression)
        if code.is_simple:
            continue
        name = w.early()
        if is_risky:
            w.line(f"try: {name} = {code.text}")
            w.line(f"except IndexError: {name} = 0")
        else:
            w.line(f"{name} = {code.text}")
        w.available.append(Available(w.scope, expression, Code(name), Code(name)))


def _always_evaluated(body: tuple[ir.Stmt, ...]) -> object:
    """Return the part of a loop body that is always evaluated."""
    match body[0] if body else ():
        case ir.If(condition, _, _):
            first: object = condition
        case statement:
            return statement
    while isinstance(first, (ir.And, ir.Or, ir.Not, ir.Choice)):
        match first:
            case ir.And(left, _) | ir.Or(left, _):
                first = left
            case ir.Not(operand):
                first = operand
            case ir.Choice(condition, _, _):
                first = condition
    return first


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
        if not w.is_available(node):
            name = f"v0{w.mark()}"
            w.line(f"{name} = None")
            kept = Code(f"({name} if {name} is not None else ({name} := {w.value(node).text}))")
            w.available.append(Available(w.scope, node, kept, kept))


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


def _is_early(
    w: Writer,
    node: object,
    changed: set[int],
    sure: list[tuple[ir.Expr, int]],
    risks: list[object] | None,
) -> bool:
    """Return whether an expression is the same in every iteration, and safe to compute even if it is not needed.

    If `risks` is given, accesses that may be outside a table or the state count as safe, and are
    appended to `risks`.
    """
    match node:
        case ir.Local(slot):
            return slot not in changed
        case ir.Const():
            return True
        case ir.Load(address):
            if w.flags.checked or not w.pure or not _is_early(w, address, changed, sure, risks):
                return False
            if isinstance(address, ir.Const):
                return True
            if risks is not None:
                risks.append(node)
            return risks is not None
        case ir.Table(table, index):
            if w.flags.checked or not _is_early(w, index, changed, sure, risks):
                return False
            size = len(w.knowledge.program.tables[table])
            if any(index == known and size >= least for known, least in sure):
                return True
            if risks is not None:
                risks.append(node)
            return risks is not None
        case ir.Binary("//" | "%", left, ir.Const(int(divisor))):
            return divisor != 0 and _is_early(w, left, changed, sure, risks)
        case ir.Binary("//" | "%"):
            return False
        case ir.Binary() | ir.Not() | ir.And() | ir.Or() | ir.Choice():
            parts = [getattr(node, name) for name in PARTS[type(node)]]
            return all(_is_early(w, part, changed, sure, risks) for part in parts)
        case ir.CallValue(callee, arguments):
            body = w.knowledge.expression(callee, w.flags.counts)
            return (
                body is not None
                and _is_early(w, body, set(), [], risks)
                and all(_is_early(w, part, changed, sure, risks) for part in arguments)
            )
        case _:  # all others: they stay where they are
            return False


def reused_expressions(w: Writer, body: tuple[ir.Stmt, ...]) -> list[ir.Expr]:
    """Return those expressions that an iteration always computes first and needs again, and whose
    values it does not change."""
    match body[0] if body else None:
        case ir.If(first, _, _) | ir.SetLocal(_, first) | ir.Offer(first) | ir.Append(_, first):
            pass
        case _:  # all others: nothing is kept
            return []
    changed = slots(walk(body))[1]
    nodes = list(walk(body))
    found: list[ir.Expr] = []
    todo: list[object] = [first]
    while todo:
        node = todo.pop(0)
        again = (
            isinstance(node, (ir.Load, ir.Table, ir.At, ir.Binary))
            and not w.is_available(node)
            and sum(type(other) is type(node) and other == node for other in nodes) > 1
            and not w.matters(node)
            and not any(
                (isinstance(part, ir.Local) and part.slot in changed)
                or (isinstance(part, (ir.Load, ir.CallValue)) and not w.pure)
                for part in walk(node)
            )
        )
        if again and isinstance(node, (ir.Load, ir.Table, ir.At, ir.Binary)):
            if node not in found and not is_constant_cell(node):
                found.append(node)
            continue
        match node:
            case ir.And(left, _) | ir.Or(left, _) | ir.Choice(left, _, _):
                todo.append(left)
            case tuple():
                todo.extend(node)
            case _:  # all others: their parts are searched
                todo.extend(getattr(node, name) for name in PARTS.get(type(node), ()))
    return sorted(
        found, key=lambda node: sum(1 for _ in walk(node))
    )  # an expression comes after its parts


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

WORTHY = (ir.Table, ir.Choice, ir.Binary, ir.CallValue, ir.Load)
"""The classes of expressions that may be worth computing before a loop."""
