"""Generated Python keeps no local or list for what another one, or a number, says already."""

from __future__ import annotations

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.knowledge import as_expression
from rulewright.interpreter.engines.codegen.tidy import without_copies

A, B, N = ir.Local(0), ir.Local(1), ir.Local(5)
ONE = ir.Const(1)


@pytest.mark.parametrize(
    ("body", "left"),
    [
        pytest.param((ir.SetLocal(5, ONE), ir.Return(N)), (ir.Return(ONE),), id="a number"),
        pytest.param((ir.SetLocal(5, A), ir.Return(N)), (ir.Return(A),), id="another local"),
        pytest.param(
            (ir.ForRange(1, ONE, A, (ir.SetLocal(5, B), ir.Offer(N))),),
            (ir.ForRange(1, ONE, A, (ir.Offer(B),)),),
            id="the value of a loop, in its turn",
        ),
    ],
)
def test_copies_go(body: tuple[ir.Stmt, ...], left: tuple[ir.Stmt, ...]) -> None:
    assert without_copies(body) == left


@pytest.mark.parametrize(
    "body",
    [
        pytest.param((ir.SetLocal(5, A), ir.SetLocal(0, ONE), ir.Return(N)), id="set later"),
        pytest.param((ir.SetLocal(5, A), ir.SetLocal(5, ONE), ir.Return(N)), id="set twice"),
        pytest.param((ir.If(A, (ir.SetLocal(5, ONE),)), ir.Return(N)), id="read outside"),
        pytest.param(
            (ir.ForRange(1, ONE, A, (ir.Offer(N), ir.SetLocal(5, ONE))),),
            id="read in the next turn",
        ),
        pytest.param((ir.SetLocal(5, A), ir.Append(0, ONE), ir.Return(N)), id="a list that grows"),
        pytest.param(
            (ir.SetLocal(5, A), ir.ForRange(0, ONE, ONE, (ir.Offer(N),))), id="counted by a loop"
        ),
    ],
)
def test_copies_that_are_needed_stay(body: tuple[ir.Stmt, ...]) -> None:
    assert without_copies(body) == body


def test_a_list_of_all_there_is_is_what_there_is() -> None:
    query = (
        ir.SetLocal(2, ir.MakeList(())),
        ir.ForEach(3, A, (grow := ir.Append(2, ir.Local(3)),)),
        ir.Return(ir.Local(2)),
    )
    assert as_expression(query, counts=False) == A
    chosen = (query[0], ir.ForEach(3, A, (ir.If(ir.Local(3), (grow,)),)), query[2])
    assert as_expression(chosen, counts=False) is None
