"""Options are counted by their conditions, without a branch for each of them."""

from __future__ import annotations

import re
from random import Random

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.native.engine import NativeEngine, source
from rulewright.interpreter.engines.native.module import Module
from rulewright.interpreter.engines.reference import Reference
from tests.interpreter.programs import GLOBAL, Writer, c, cell, choose, do, end_game, op, put, v

CELLS = 8
"""Too few for a bit set."""
THERE = ir.Load(op(c(GLOBAL), "+", v(0)))
NUMBERS = ((1, 2, 0, 1),)
"""From a table that does not cover all requested numbers."""
OPTION = op(op(v(0), "*", c(3)), "+", c(1))
OFFER = ir.Offer(OPTION)
FULL = op(THERE, "==", c(2))
COUNTED = re.compile(r"= zext i1 %r\d+ to i64\n %r\d+ = add nsw i64")
"""The number of options grows by the value of a condition."""
LEAVE = (ir.Refuse(OPTION, 0, ()), ir.Continue())


@pytest.mark.parametrize(
    ("body", "counted"),
    [
        pytest.param((ir.If(FULL, (OFFER,)),), True, id="if"),
        pytest.param((ir.If(FULL, LEAVE), OFFER), True, id="unless"),
        pytest.param(
            (ir.If(FULL, LEAVE), ir.If(op(THERE, "<", c(0)), LEAVE), ir.If(cell(0), (OFFER,))),
            True,
            id="several",
        ),
        pytest.param(
            (ir.If(ir.Or(FULL, ir.Not(op(v(0), "<", THERE))), LEAVE), OFFER), True, id="or"
        ),
        pytest.param(
            (ir.If(ir.And(op(v(0), "<", c(4)), ir.Table(0, v(0))), (OFFER,)),),
            False,
            id="a row that there is only sometimes",
        ),
        pytest.param(
            (
                ir.If(
                    ir.And(op(THERE, "!=", c(0)), op(op(c(6), "//", THERE), ">", c(2))),
                    (OFFER,),
                ),
            ),
            False,
            id="parts of what may be nothing",
        ),
        pytest.param((ir.If(FULL, (OFFER, ir.Break())),), False, id="the first alone"),
        pytest.param(
            (ir.If(FULL, (ir.SetLocal(1, op(v(1), "+", c(1))), OFFER)),), False, id="and counts"
        ),
        pytest.param((OFFER,), False, id="all"),
    ],
)
@pytest.mark.parametrize("level", [0, 2])
def test_options_are_those_of_the_definition(
    body: tuple[ir.Stmt, ...], counted: bool, level: int
) -> None:
    w = Writer()
    listed = w.function(
        0,
        2,
        ir.ForRange(0, c(0), c(CELLS - 1), body),
        ir.If(op(v(1), ">", c(3)), (ir.Offer(c(0)),)),
        ir.Offer(c(99)),
    )
    site = w.site(0, 0, listed)
    w.procedure(0, 1, [do(put(0, cell(0))), choose(site, c(0), 0), end_game()])
    program = w.program(0, tables=NUMBERS, cells=CELLS)
    text = source(Module(program))
    assert bool(COUNTED.search(_enumerator(text, listed))) is counted
    random = Random(7)
    engine, slow = NativeEngine(program, level), Reference(program)
    for _ in range(60):
        one, other = engine.start(), slow.start()
        for place in range(CELLS):
            one[GLOBAL + place] = other[GLOBAL + place] = random.randrange(-1, 4)
        engine.run(one)
        slow.run(other)
        assert list(engine.options(one)) == list(slow.options(other))
    assert engine.handed_over == 0


def _enumerator(text: str, number: int) -> str:
    begin = text.index(f"@p{number}(ptr %S")
    return text[begin : text.index("\n}", begin)]
