"""Evaluates conditions at compile time if they read only printed values. If such a condition filters
a list, a table of the filtered lists replaces both.

For example, `goal in start.around where goal.y is start.y + me.forward` reads nothing that can
change during a match, so the list is known for each start and each player. The module rewrites core
statements without changing their meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import product

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import ONE, binary, both
from rulewright.dsl.lowering.emit.core import Compiler, Procedure
from rulewright.dsl.lowering.emit.printed import Evaluator, Unknown
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree.nesting import walk

MOST_ROWS = 20_000
MOST_VALUES = 600


def use_tables(c: Compiler, procedure: Procedure, body: Sequence[ir.Stmt]) -> tuple[ir.Stmt, ...]:
    """Rewrite statements so that they read filtered constant lists from tables."""
    return tuple(_rewrite(c, procedure, s) for s in body)


def _rewrite(c: Compiler, p: Procedure, s: ir.Stmt) -> ir.Stmt:
    match s:
        case ir.If():
            return ir.If(s.condition, use_tables(c, p, s.then), use_tables(c, p, s.otherwise))
        case ir.While():
            return ir.While(s.condition, use_tables(c, p, s.body), s.counted, s.span)
        case ir.ForRange():
            return ir.ForRange(s.slot, s.low, s.high, use_tables(c, p, s.body))
        case ir.ForEach():
            inner = ir.ForEach(s.slot, s.of, use_tables(c, p, s.body))
            return _filter_in_advance(c, p, inner)
        case ir.Exit() | ir.Assignment() | ir.Notice() | ir.CallPlain():
            return s


def _filter_in_advance(c: Compiler, p: Procedure, s: ir.ForEach) -> ir.Stmt:
    if not isinstance(s.of, ir.Table) or len(s.body) != 1:
        return s
    only = s.body[0]
    if not isinstance(only, ir.If) or only.otherwise:
        return s
    fixed: list[ir.Expr] = []
    rest: list[ir.Expr] = []
    for part in _conjuncts(only.condition):
        (fixed if _is_printed(c, part) else rest).append(part)
    if not fixed:
        return s
    slots = sorted({slot for e in (s.of.index, *fixed) for slot in _locals(e)} - {s.slot})
    ranges: list[range] = []
    rows = 1
    for slot in slots:
        values = _local_values(c, p.types.get(slot))
        if values is None:
            return s
        ranges.append(values)
        rows *= len(values)
    if not 0 < rows <= MOST_ROWS:
        return s
    lists, printed = c.tables[s.of.table], Evaluator(c)
    table: list[tuple[object, ...]] = []
    try:
        index = printed.function(s.of.index, slots)
        fits = printed.function(reduce(ir.And, fixed), (*slots, s.slot))
        for given in product(*ranges):
            at = index(*given)
            listed = lists[at] if isinstance(at, int) and 0 <= at < len(lists) else ()
            if not isinstance(listed, tuple):
                return s
            table.append(tuple(item for item in listed if fits(*given, item)))
    except Unknown:
        return s
    place: ir.Expr = ir.Const(0)
    for slot, values in zip(slots, ranges, strict=True):
        place = binary("*", place, ir.Const(len(values)))
        place = binary("+", place, binary("-", ir.Local(slot), ir.Const(values.start)))
    of = ir.Table(c.table(table), place) if slots else ir.Const(table[0])
    condition: ir.Expr = ONE
    for part in rest:
        condition = both(condition, part)
    body = only.then if condition == ONE else (ir.If(condition, only.then),)
    return ir.ForEach(s.slot, of, body)


def _conjuncts(e: ir.Expr) -> Iterable[ir.Expr]:
    if isinstance(e, ir.And):
        yield from _conjuncts(e.left)
        yield from _conjuncts(e.right)
    else:
        yield e


def _local_values(c: Compiler, type: Type | None) -> range | None:
    """Return the possible values of a local if there are few; None otherwise."""
    if (
        type is None
        or type.opt
        or not isinstance(
            type, (types.Named, types.Number, types.Flag, types.Player, types.Direction)
        )
    ):
        return None
    if isinstance(type, (types.Number, types.Flag)):
        return range(type.low, type.high + 1) if type.high - type.low < MOST_VALUES else None
    ids = list(c.model.ids_of(type))
    if not ids or max(ids) - min(ids) >= MOST_VALUES:
        return None
    return range(min(ids), max(ids) + 1)


def _is_printed(c: Compiler, e: ir.Expr) -> bool:
    """Return whether an expression, including the procedures that it calls, reads only constants and locals."""
    for part in walk(e):
        match part:
            case ir.CallValue(procedure=n):
                called = c.plain[n]
                match called.body if called is not None else ():
                    case (ir.Return(value=value),) if value is not None:
                        if not _is_printed(c, value):
                            return False
                    case _:  # all others: they may read anything
                        return False
            case ir.LocalList() | ir.Load() | ir.MakeList() | ir.Length() | ir.At() | ir.Possible():
                return False
            case _:  # all others: the result depends on their parts
                pass
    return True


def _locals(e: ir.Expr) -> set[int]:
    return {part.slot for part in walk(e) if isinstance(part, ir.Local)}
