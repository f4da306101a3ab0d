"""Writes loops that apply the same test to each item of each row of a table. All tests of a row
become a single expression.

An example is the test whether a line of four cells contains four discs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import (
    For,
    Knowledge,
    locals_in,
    replace_slots,
    slots,
    walk,
    with_arguments,
)
from rulewright.interpreter.engines.codegen.cleanup import function, leaves_by, without_leaving
from rulewright.interpreter.engines.codegen.code import AND, OR, Code
from rulewright.interpreter.engines.codegen.expressions import Writer
from rulewright.interpreter.engines.codegen.hoisting import numbers_in, work_out_early
from rulewright.interpreter.engines.codegen.iteration import Around, columns_of, is_timeless
from rulewright.interpreter.engines.codegen.scopes import Available, Host

WIDEST = 6  # the maximum number of items of a row
KEYS = 3  # the maximum number of numbers that are keys of cached rows
ITEM = -1
"""The slot of the current item, which has no variable."""


class Question(NamedTuple):
    """The question that a procedure answers by searching for one item."""

    loop: For
    test: ir.Expr
    fail: bool
    """Whether the procedure searches for an item that fails the test."""
    found: bool
    """The answer if an item is found. If none is found, the answer is the opposite."""


def question_of(knowledge: Knowledge, number: int) -> Question | None:
    """If a procedure only searches for one item, return the question that it answers, otherwise None."""
    procedure = knowledge.program.plain[number]
    match procedure.body:
        case (
            (ir.ForEach() | ir.ForRange()) as loop,
            ir.Return(ir.Const(int(otherwise))),
        ):
            flat = without_leaving(loop.body)
        case _:
            return None
    if leaves_by(loop.body, ir.Break):
        return None
    match flat:
        case (ir.If(test, (ir.Return(ir.Const(int(found))),), ()),):
            fail = False
        case (ir.If(test, (), (ir.Return(ir.Const(int(found))),)),):
            fail = True
        case _:
            return None
    if bool(found) == bool(otherwise) or any(
        n.slot >= procedure.parameters and n.slot != loop.slot
        for n in walk((loop, test))
        if isinstance(n, ir.Local)
    ):
        return None
    return Question(loop, test, fail, bool(found))


class _RowTest(NamedTuple):
    """A question about the items of each row."""

    width: int
    test: ir.Expr
    """The test for the item in `ITEM`."""
    fail: bool
    is_any: bool
    """Whether one passing item is enough."""
    then: tuple[ir.Stmt, ...]


def write_rows(s: Around, loop: For, flat: tuple[ir.Stmt, ...] | None) -> bool:
    """Write a loop whose iterations test each item of a row, if the tests fit into a single expression.

    Returns False without writing anything if they do not.
    """
    w, scope = s.w, s.w.scope
    asked = _find_row_test(s, loop, flat)
    if asked is None or not isinstance(scope, Host) or not isinstance(loop, ir.ForEach):
        return False
    before = len(w.available)
    if s.variant != "any":
        turn = ir.If(asked.test, (), ())
        work_out_early(w, ir.ForEach(ITEM, loop.of, (turn,)))
    text, column = _kept_rows(s, loop, asked) or (w.text(loop.of), None)
    names = [w.early() for _ in range(asked.width)]
    tests = []
    for name in names:
        if column is None:
            scope.note(ITEM, Code(name))
        else:
            w.available.append(Available(scope, column, Code(name), Code(name)))
        test = w.condition(asked.test, asked.fail)
        tests.append(test.within(OR if asked.is_any else AND))
        if column is not None:
            w.available.pop()
    scope.constants.pop(ITEM, None)
    scope.before_loop([*walk(asked.then)])
    known = scope.save()
    w.line(f"for {', '.join(names)} in {text}:")
    w.loops += 1
    w.margin += " "
    s.nesting += 1
    w.line(f"if {(' or ' if asked.is_any else ' and ').join(tests)}:")
    s.suite(asked.then)
    w.margin = w.margin[:-1]
    s.nesting -= 1
    w.loops -= 1
    del w.available[before:]
    scope.restore(known)
    scope.after_loop()
    return True


def _find_row_test(s: Around, loop: For, flat: tuple[ir.Stmt, ...] | None) -> _RowTest | None:
    w = s.w
    if not isinstance(loop, ir.ForEach) or not isinstance(loop.of, ir.Table) or w.flags.counts:
        return None
    width = _width(w.knowledge.program.tables[loop.of.table])
    if not 2 <= width <= WIDEST or not s.is_read_within(loop.slot, loop.body):
        return None
    match flat:
        case (ir.If(condition, then, ()),):
            is_wanted = True
        case (ir.If(condition, (), then),):
            is_wanted = False
        case _:
            return None
    while isinstance(condition, ir.Not):
        condition, is_wanted = condition.operand, not is_wanted
    if not isinstance(condition, ir.CallValue):
        return None
    question = question_of(w.knowledge, condition.procedure)
    if question is None or not isinstance(question.loop, ir.ForEach):
        return None
    row, arguments = question.loop.of, condition.arguments
    read = locals_in(question.test)
    others = [argument for place, argument in enumerate(arguments) if place in read]
    if (
        not isinstance(row, ir.Local)
        or row.slot in read
        or arguments[row.slot] != ir.Local(loop.slot)
        or not all(isinstance(argument, (ir.Local, ir.Const)) for argument in others)
        or loop.slot in locals_in((*others, then))
        or locals_in(tuple(others)) & slots(walk(then))[1]
        or question.loop.slot < len(arguments)
    ):
        return None
    spread = (*arguments, *[ir.Const(0)] * (question.loop.slot - len(arguments)), ir.Local(ITEM))
    test = with_arguments(question.test, spread)
    is_any = question.found == is_wanted
    return _RowTest(width, test, question.fail == is_any, is_any, then)


def _width(rows: Sequence[object]) -> int:
    """Return the number of items in each row of the given lists of rows. If the rows differ in length, return 0."""
    widths = {
        len(row) if isinstance(row, tuple) else 0
        for each in rows
        for row in (each if isinstance(each, tuple) else ((),))
    }
    return widths.pop() if len(widths) == 1 else 0


def _kept_rows(s: Around, loop: ir.ForEach, asked: _RowTest) -> tuple[str, ir.Expr] | None:
    """Return the code for rows that contain a value computed from each item, and the expression for this value.

    The rows are cached, and the locals are the keys.
    """
    w = s.w
    free = locals_in(asked.test) - {ITEM}
    columns = columns_of(w, (ir.If(asked.test, (), ()),), ITEM, free)
    if len(columns) != 1 or not is_timeless(w, loop.of):
        return None
    column = columns[0]
    if _reads_besides(asked.test, column):
        return None
    keys = sorted(locals_in((loop.of, column)) - {ITEM})
    if len(keys) > KEYS or not numbers_in((loop.of, column)) >= set(keys):
        return None
    size = len(keys)
    mapping = {slot: place for place, slot in enumerate(keys)} | {ITEM: size + 3}
    lines = (
        ir.SetLocal(size + 1, ir.MakeList(())),
        ir.ForEach(
            size,
            replace_slots(loop.of, mapping),
            (
                ir.SetLocal(size + 2, ir.MakeList(())),
                ir.ForEach(
                    size + 3, ir.Local(size), (ir.Append(size + 2, replace_slots(column, mapping)),)
                ),
                ir.Append(size + 1, ir.Local(size + 2)),
            ),
        ),
        ir.Return(ir.Local(size + 1)),
    )
    name = w.shared.memo(lines, size, lambda name: _rows_function(s, name, size, lines))
    places = "".join(f"[{w.scope.look(slot).text}]" for slot in keys) or "[0]"
    return f"{name}{places}", column


def _reads_besides(test: ir.Expr, column: ir.Expr) -> bool:
    """Return whether a test reads the item itself, and not only the value that `column` computes from it."""
    inside = sum(part == ir.Local(ITEM) for part in walk(column))
    times = sum(part == column for part in walk(test))
    return sum(part == ir.Local(ITEM) for part in walk(test)) != inside * times


def _rows_function(s: Around, name: str, size: int, lines: tuple[ir.Stmt, ...]) -> str:
    scope = Host(set(range(size)), frozenset({size + 1, size + 2}))
    inner = s.another(Writer(s.w.knowledge, s.w.flags, s.w.shared, scope))
    inner.body(lines)
    parameters = ", ".join(["S", *(f"v{slot}" for slot in range(size))])
    return function(f"{name}({parameters})", inner.all_lines(size))
