"""Compiles the numbers in the text of a question to rows that the kernel `sight` computes.

An argument is compiled to steps that use a stack. The last step writes the result. If an argument
needs more than cells, locals, tables and sums, an engine computes all arguments of the question.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

from rulewright.dsl.ir import Binary, Const, Expr, Load, Local, LocalList, Program, Site, Table
from rulewright.interpreter.engines.kernels import sight

DEPTH: Final = 8
"""The maximum height of the stack."""
_SUMS: Final = {"+": sight.PLUS, "-": sight.MINUS, "*": sight.TIMES, "%": sight.REST}
_Step = tuple[int, int]


class _LeftError(Exception):
    """Raised for an argument that an engine must compute."""


def question_rows(program: Program) -> tuple[array[int], array[int]]:
    """Return the index of the first step of each decision, and all steps, followed by the tables."""
    starts, steps = array("q", [0]), list[_Step]()
    for site in program.sites:
        steps += _steps_of(site, program)
        starts.append(len(steps))
    rows, places = array("q"), dict[int, int]()
    values = array("q")
    for what, number in steps:
        if what == sight.TABLE and number not in places:
            places[number] = 2 * len(steps) + len(values)
            column = [row for row in program.tables[number] if isinstance(row, int)]
            values.extend((len(column), *column))
        rows.extend((what, places[number] if what == sight.TABLE else number))
    return starts, rows + values


def _steps_of(site: Site, program: Program) -> list[_Step]:
    try:
        return [step for code in site.prompt_arguments for step in _argument(code, program)]
    except _LeftError:
        return [(sight.LEFT, 0)]


def _argument(code: Expr, program: Program) -> Iterator[_Step]:
    if isinstance(code, LocalList):
        yield sight.LIST, code.slot
        return
    yield from _value_steps(code, program, 1)
    yield sight.SAID, 0


def _value_steps(code: Expr, program: Program, depth: int) -> Iterator[_Step]:
    """Yield the steps that push a value on the stack at height `depth`."""
    if depth > DEPTH:
        raise _LeftError
    match code:
        case Const(int(value)):
            yield sight.CONSTANT, value
        case Local(slot):
            yield sight.LOCAL, slot
        case Load(address, far):
            yield from _value_steps(address, program, depth)
            yield sight.CELL, program.far if far else 0
        case Binary(operator, left, right) if operator in _SUMS:
            yield from _value_steps(left, program, depth)
            yield from _value_steps(right, program, depth + 1)
            yield _SUMS[operator], 0
        case Table(table, index) if all(isinstance(row, int) for row in program.tables[table]):
            yield from _value_steps(index, program, depth)
            yield sight.TABLE, table
        case _:  # all others: an engine computes them
            raise _LeftError
