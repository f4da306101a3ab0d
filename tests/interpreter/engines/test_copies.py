"""Generated Python makes no list that equals another one, and reads invariant cells once."""

from __future__ import annotations

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import as_expression
from rulewright.interpreter.engines.codegen.python import PythonEngine
from rulewright.interpreter.engines.reference import Reference
from tests.interpreter.programs import GLOBAL, Writer, c, cell, choose, do, end_game, op, put, v

A = ir.Local(0)


def test_a_list_of_all_there_is_is_what_there_is() -> None:
    query = (
        ir.SetLocal(2, ir.MakeList(())),
        ir.ForEach(3, A, (grow := ir.Append(2, ir.Local(3)),)),
        ir.Return(ir.Local(2)),
    )
    assert as_expression(query, counts=False) == A
    chosen = (query[0], ir.ForEach(3, A, (ir.If(ir.Local(3), (grow,)),)), query[2])
    assert as_expression(chosen, counts=False) is None


@pytest.mark.parametrize(("turns", "reads"), [(2, 2), (3, 1), (6, 1)])
def test_unrolled_loops_read_invariant_cells_once(turns: int, reads: int) -> None:
    w = Writer()
    there = op(ir.Load(op(c(GLOBAL), "+", v(0))), ">=", c(2))
    asked = ir.And(op(cell(7), "!=", v(1)), there)
    offers = w.function(1, 2, ir.ForRange(1, c(1), c(turns), (ir.If(asked, (ir.Offer(v(1)),)),)))
    w.site(0, 0, offers, cell(1))
    w.procedure(0, 1, [do(put(1, c(0)), put(0, c(5))), choose(0, c(0), 0), end_game()])
    program = w.program(0)
    engine, slow = PythonEngine(program), Reference(program)
    text = engine.source
    listed = text[text.index("def os0") : text.index("def as0")]
    assert listed.count(f"S[v0 + {GLOBAL}]") == reads
    state = slow.start()
    slow.run(state)
    for mine, left_out in ((0, 0), (0, 2), (2, 1), (7, 3)):
        state[GLOBAL + 1], state[GLOBAL + 2], state[GLOBAL + 7] = mine, 3, left_out
        assert engine.options(state[:]) == slow.options(state[:])
