"""Helper procedures as text: each construct with its IR."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.core import Compiler, Procedure
from rulewright.dsl.lowering.emit.routines import Cells, Inline, Numbers, TextWriter, steps

L, K = ir.Local, ir.Const
GIVEN: dict[str, Any] = {
    "limit": 7,
    "items": L(9),
    "far": Cells(40, far=True),
    "table": Numbers(3),
    "helper": 5,
    "later": lambda: 6,
    "twice": Inline(lambda value: ir.Binary("+", value, value)),
    "both": Inline(lambda value: [ir.SetLocal(8, value), ir.Break()]),
    "no": 0,
}


def steps_of(text: str) -> list[ir.Stmt]:
    """The steps of a text, with one array of the layout."""
    c = cast(Compiler, SimpleNamespace(layout=SimpleNamespace(zone_of=100)))
    return steps(c, Procedure("sample", suspending=False), text, **GIVEN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = limit", [ir.SetLocal(0, K(7))]),
        ("x = -1\ny = x", [ir.SetLocal(0, K(-1)), ir.SetLocal(1, L(0))]),
        ("items = []", [ir.SetLocal(9, ir.MakeList(()))]),
        ("x = ()", [ir.SetLocal(0, K(()))]),
        ("zone_of[2] = 1", [ir.Store(K(102), K(1))]),
        ("far[1] += 1", [ir.Store(K(41), ir.Binary("+", K(1), ir.Load(K(41), True)), True)]),
        ("x = cell[3] * 2", [ir.SetLocal(0, ir.Binary("*", ir.Load(K(3)), K(2)))]),
        ("x = table[4]", [ir.SetLocal(0, ir.Table(3, K(4)))]),
        ("x = items[0]", [ir.SetLocal(0, ir.At(L(9), K(0)))]),
        ("items.append(len(items))", [ir.Append(9, ir.Length(L(9)))]),
        ("x = min(cell[0], 2)", [ir.SetLocal(0, ir.Binary("min", ir.Load(K(0)), K(2)))]),
        ("helper(1)", [ir.CallPlain(5, (K(1),))]),
        ("return later(1)", [ir.Return(ir.CallValue(6, (K(1),)))]),
        ("return twice(cell[0])", [ir.Return(ir.Binary("+", ir.Load(K(0)), ir.Load(K(0))))]),
        ("both(4)", [ir.SetLocal(8, K(4)), ir.Break()]),
        ("raise limit", [ir.Fault(7)]),
        ("return", [ir.Return()]),
        ("if no: nowhere(1)\nelse: return 2", [ir.Return(K(2))]),
        ("if no and nowhere: return", []),
        ("if 1 in items: return 2", [ir.If(ir.Has(L(9), K(1)), (ir.Return(K(2)),))]),
        (
            "if 1 not in items or cell[0]: break\nelse: return",
            [
                ir.If(
                    ir.Or(ir.Not(ir.Has(L(9), K(1))), ir.Load(K(0))), (ir.Break(),), (ir.Return(),)
                )
            ],
        ),
        ("while not cell[0]: break", [ir.While(ir.Not(ir.Load(K(0))), (ir.Break(),))]),
        ("for n in range(4): break", [ir.ForRange(0, K(0), K(3), (ir.Break(),))]),
        (
            "for n in range(1, cell[0] + 1): break",
            [ir.ForRange(0, K(1), ir.Load(K(0)), (ir.Break(),))],
        ),
        ("for x in items: helper(x)", [ir.ForEach(0, L(9), (ir.CallPlain(5, (L(0),)),))]),
        ("return 1 if cell[0] else 2", [ir.Return(ir.Choice(ir.Load(K(0)), K(1), K(2)))]),
    ],
)
def test_templates_produce_the_expected_statements(text: str, expected: list[ir.Stmt]) -> None:
    assert steps_of(text) == expected


def test_texts_in_one_procedure_share_their_locals_but_not_what_is_given() -> None:
    c = cast(Compiler, SimpleNamespace(layout=SimpleNamespace()))
    writer = TextWriter(c, Procedure("sample", suspending=False))
    assert writer.steps("n = start", start=3) == [ir.SetLocal(0, K(3))]
    assert writer.steps("return n") == [ir.Return(L(0))]
    with pytest.raises(ValueError, match="`start` has no meaning"):
        writer.steps("return start")


@pytest.mark.parametrize(
    "text",
    [
        "x = nowhere",
        "x = table",
        "limit(1).y = 2",
        "x: int = 1",
        "x = 'a'",
        "helper[1] = 2",
        "x = both(1)",
    ],
)
def test_text_that_is_not_understood(text: str) -> None:
    with pytest.raises((ValueError, AssertionError)):
        steps_of(text)
