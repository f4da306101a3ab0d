"""A query for all items of a list is the list itself."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import as_expression

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
