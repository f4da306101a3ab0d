"""Native code computes the result of a long procedure once, at its first use, while its inputs stay the same."""

from __future__ import annotations

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.native.engine import NativeEngine, source
from rulewright.interpreter.engines.native.module import Module
from rulewright.interpreter.engines.reference import Reference
from tests.interpreter.programs import Writer, c, cell, do, end_game, op, put, v

KEPT = "store i1 true"


def agree(w: Writer, total: int, *, kept: bool) -> str:
    """Native code and the definition give the same result; the LLVM text shows whether a number is cached."""
    fill = [put(3, v(0)), put(0, op(op(cell(0), "*", c(7)), "+", ir.CallValue(total, (v(0),))))]
    turns = ir.ForRange(0, c(-1), c(4), (*fill, put(0, op(cell(0), "%", c(10007)))))
    program = w.program(w.procedure(0, 1, [do(put(2, c(5)), turns), end_game()]))
    text = source(Module(program))
    assert (KEPT in text) is kept
    for level in (0, 2):
        engine, slow = NativeEngine(program, level), Reference(program)
        one, other = engine.start(), slow.start()
        engine.run(one)
        slow.run(other)
        assert one == other
        assert engine.handed_over == 0
    return text


def long(w: Writer, *first: ir.Stmt) -> int:
    """A procedure with a loop: its result is three times its argument, plus a cell, plus something more."""
    more = ir.SetLocal(2, op(v(2), "+", op(v(0), "+", v(1))))
    return w.function(
        1, 3, *first, ir.ForRange(1, c(0), c(2), (more,)), ir.Return(op(v(2), "+", cell(2)))
    )


def add_to_sum(value: ir.Expr) -> ir.Stmt:
    return ir.SetLocal(1, op(op(op(v(1), "*", c(3)), "+", value), "%", c(997)))


@pytest.mark.parametrize(
    ("loop", "kept"),
    [
        pytest.param("numbers", True, id="numbers"),
        pytest.param("items", True, id="items"),
        pytest.param("condition", True, id="as long as a condition holds"),
        pytest.param("argument", False, id="another argument in each turn"),
        pytest.param("set", False, id="an argument that is set"),
        pytest.param("stored", False, id="cells that are written"),
        pytest.param("twice", True, id="twice without a loop"),
        pytest.param("once", False, id="once without a loop"),
        pytest.param("in a turn", True, id="twice in a turn"),
        pytest.param("set in a turn", False, id="an argument that is set in a turn"),
        pytest.param("within", True, id="the same within each turn of another loop"),
    ],
)
def test_it_is_worked_out_once(loop: str, kept: bool) -> None:
    w = Writer()
    called = ir.CallValue(long(w), (v(0),))
    of_turn = ir.CallValue(0, (v(2),))
    body: tuple[ir.Stmt, ...]
    match loop:
        case "numbers":
            body = (ir.ForRange(2, c(1), c(4), (add_to_sum(called),)),)
        case "items":
            body = (
                ir.ForEach(2, c((3, 1, 8)), (ir.If(op(v(2), "<=", called), (add_to_sum(v(2)),)),)),
            )
        case "condition":
            more = ir.SetLocal(2, op(v(2), "+", c(4)))
            body = (ir.While(op(v(2), "<", called), (add_to_sum(v(2)), more)),)
        case "argument":
            body = (ir.ForRange(2, c(1), c(4), (add_to_sum(of_turn),)),)
        case "set":
            step = ir.SetLocal(0, op(v(0), "+", c(1)))
            body = (ir.ForRange(2, c(1), c(4), (add_to_sum(called), step)),)
        case "stored":
            write = put(2, op(cell(2), "+", c(1)))
            body = (ir.ForRange(2, c(1), c(4), (add_to_sum(called), write)),)
        case "twice":
            body = (add_to_sum(called), add_to_sum(called))
        case "in a turn":
            body = (ir.ForRange(2, c(1), c(4), (add_to_sum(of_turn), add_to_sum(of_turn))),)
        case "set in a turn":
            step = ir.SetLocal(2, op(v(2), "+", c(1)))
            body = (ir.ForRange(2, c(1), c(4), (add_to_sum(of_turn), step, add_to_sum(of_turn))),)
        case "once":
            body = (add_to_sum(called),)
        case _:
            inner = ir.ForRange(3, c(1), c(3), (add_to_sum(op(of_turn, "*", v(3))),))
            body = (ir.ForRange(2, c(1), c(4), (inner,)),)
    agree(w, w.function(1, 4, *body, ir.Return(v(1))), kept=kept)


def test_unused_values_are_not_computed() -> None:
    """The procedure fails for some arguments that are never used."""
    w = Writer()
    broken = ir.If(op(v(0), ">", c(2)), (ir.Fault(0),))
    called = ir.CallValue(long(w, broken), (v(0),))
    asked = ir.If(op(v(0), "<=", c(2)), (add_to_sum(called),))
    loop = ir.ForRange(2, c(1), c(4), (asked, add_to_sum(v(2))))
    agree(w, w.function(1, 3, loop, ir.Return(v(1))), kept=True)


def list_procedure(w: Writer, *first: ir.Stmt) -> int:
    """A procedure that gives a list."""
    more = ir.Append(2, op(op(v(1), "*", v(0)), "+", cell(2)))
    begun = ir.SetLocal(2, ir.MakeList(()))
    return w.function(1, 3, *first, begun, ir.ForRange(1, c(0), c(3), (more,)), ir.Return(v(2)))


@pytest.mark.parametrize(
    "case", ["asked first", "asked later", "may be impossible", "another argument"]
)
def test_lists_are_made_once_before_a_loop(case: str) -> None:
    """Calls that are reached first and cannot fail."""
    w = Writer()
    impossible = ir.If(op(v(0), ">", c(8)), (ir.Fail(0, ()),))
    lists = list_procedure(w, *((impossible,) if case == "may be impossible" else ()))
    of = ir.CallValue(lists, (v(2) if case == "another argument" else v(0),))
    asked = ir.And(op(v(2), "!=", v(0)), ir.Has(of, op(v(2), "+", c(4))))
    other = ir.MakeList((v(2), v(1)))
    body: tuple[ir.Stmt, ...] = (
        ir.If(asked, (add_to_sum(ir.Length(of)),)),
        add_to_sum(ir.At(other, c(0))),
    )
    if case == "asked later":
        body = (add_to_sum(v(2)), *body)
    before = [ir.If(op(v(0), "==", c(3)), (ir.Return(c(5)),))]
    loop = ir.ForRange(2, c(1), c(9), body)
    total = w.function(1, 3, *before, loop, ir.Return(v(1)))
    text = agree(w, total, kept=False)
    own = text[text.index(f"@p{total}(") :].split("\n}")[0]
    before_loop, in_loop = own.split("icmp sle", 1)
    calls = [part.count(f"@p{lists}(") for part in (before_loop, in_loop)]
    assert calls == ([1, 0] if case == "asked first" else [0, 2])
