"""Decisions for which native code knows that all options are possible."""

from __future__ import annotations

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.engines.native.module import Module
from rulewright.interpreter.engines.reference import Reference
from tests.interpreter.programs import (
    GLOBAL,
    Item,
    Writer,
    c,
    call,
    cell,
    choose,
    do,
    end_game,
    loop,
    op,
    put,
    scope,
    v,
)

ITEMS = (3, 4, 5, 6)


def number_on(item: ir.Expr) -> ir.Expr:
    """The number on an item."""
    return ir.Load(op(c(GLOBAL), "+", item))


def fails(condition: ir.Expr) -> ir.If:
    return ir.If(condition, (ir.Fail(1, ()),))


def turns(w: Writer, *after: Item) -> ir.Program:
    """A turn: take one from an item that is not empty; `after` are the steps, the item is in local 2."""
    refused = ir.If(op(number_on(v(1)), "==", c(0)), (ir.Refuse(v(1), 1, ()), ir.Continue()))
    options = w.function(1, 2, ir.ForEach(1, c(ITEMS), (refused, ir.Offer(v(1)))))
    site = w.site(0, 1, options, v(0), search=True)
    fill = do(*(put(item, c(item % 3 + 1)) for item in ITEMS))
    left = op(
        op(number_on(c(3)), "+", number_on(c(4))), "+", op(number_on(c(5)), "+", number_on(c(6)))
    )
    move = do(ir.SetLocal(2, v(1)), ir.SetLocal(1, c(0)))
    turn = scope([choose(site, v(0), 1), move, *after])
    return w.program(w.procedure(0, 6, [fill, loop(op(left, ">", c(2)), [turn]), end_game()]))


def agree(program: ir.Program) -> None:
    engine, slow = NativeEngine(program, level=0), Reference(program)
    for seed in range(6):
        one, other = engine.start(), slow.start()
        engine.run(one)
        slow.run(other)
        bots = Generator.seeded(seed)
        while not other[ir.OVER]:
            assert one == other
            options = slow.options(other)
            assert engine.options(one) == options
            choice = options[bots.below(len(options))]
            engine.advance(one, choice)
            slow.advance(other, choice)
        assert one == other
    assert engine.handed_over == 0


def take(item: ir.Expr) -> tuple[ir.Stmt, ...]:
    store = ir.Store(op(c(GLOBAL), "+", item), op(number_on(item), "-", c(1)))
    return fails(op(number_on(item), "==", c(0))), store


def test_a_precondition_is_no_reason_to_fail() -> None:
    program = turns(Writer(), do(*take(v(2))))
    assert Module(program).sure == {0}
    agree(program)


def test_so_it_is_in_procedures_that_are_called() -> None:
    w = Writer()
    taken = w.function(1, 1, *take(v(0)))
    program = turns(w, do(ir.CallPlain(taken, (v(2),))))
    assert Module(program).sure == {0}
    agree(program)


def test_one_that_is_called_step_by_step() -> None:
    w = Writer()
    inner = 1
    program_of = turns(w, call(inner, v(2)))
    second = w.procedure(1, 1, [do(*take(v(0)))])
    assert second == inner
    program = w.program(program_of.main)
    assert Module(program).sure == {0}
    agree(program)


@pytest.mark.parametrize(
    "after",
    [
        pytest.param((fails(op(v(2), "==", c(5))),), id="another reason"),
        pytest.param(
            (fails(op(number_on(v(2)), "<=", c(1))),), id="a condition that asks for more"
        ),
        pytest.param(take(op(c(9), "-", v(2))), id="another item"),
        pytest.param(
            (ir.SetLocal(2, c(4)), *take(v(2))), id="an item that was put in the place of the first"
        ),
        pytest.param((put(4, c(0)), *take(v(2))), id="what was done before"),
        pytest.param(
            (ir.If(op(number_on(v(2)), ">", c(1)), (fails(op(v(2), "<", c(5))),)),), id="deeper"
        ),
    ],
)
def test_steps_that_may_fail_are_not_sure(after: tuple[ir.Stmt, ...]) -> None:
    program = turns(Writer(), do(*after, put(9, c(0))))
    assert Module(program).sure == frozenset()


def test_in_a_wider_scope_it_is_tried() -> None:
    """The steps after the inner scope may fail."""
    w = Writer()
    refused = ir.If(op(number_on(v(1)), "==", c(0)), (ir.Refuse(v(1), 1, ()), ir.Continue()))
    options = w.function(1, 2, ir.ForEach(1, c(ITEMS), (refused, ir.Offer(v(1)))))
    site = w.site(0, 1, options, v(0), search=True)
    fill = do(*(put(item, c(item % 3)) for item in ITEMS))
    inner = scope([choose(site, v(0), 1), do(ir.SetLocal(2, v(1)), *take(v(2)))])
    outer = scope([inner, do(fails(op(v(2), "==", c(4))))])
    program = w.program(w.procedure(0, 6, [fill, outer, end_game()]))
    assert Module(program).sure == {0}
    agree(program)
    engine = NativeEngine(program, level=0)
    cells = engine.start()
    engine.run(cells)
    assert engine.options(cells) == [5]


def test_a_loop_that_need_not_end_is_tried() -> None:
    circle = ir.While(op(cell(9), "!=", c(0)), (put(9, op(cell(9), "-", c(1))),), counted=True)
    w = Writer()
    spun = w.function(0, 0, circle)
    program = turns(w, do(*take(v(2)), ir.CallPlain(spun, ())))
    assert Module(program).sure == frozenset()
    agree(program)


def test_items_of_which_none_is_ever_offered() -> None:
    w = Writer()
    options = w.function(1, 2, ir.ForEach(1, c(ITEMS), ()))
    site = w.site(0, 1, options, v(0), search=True)
    turn = scope([choose(site, v(0), 1)])
    program = w.program(w.procedure(0, 6, [turn, end_game()]))
    assert Module(program).sure == {0}  # all there are
