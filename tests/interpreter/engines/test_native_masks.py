"""What is asked of all cells of a board at once, and of several items of a list together."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.native.engine import NativeEngine, source
from rulewright.interpreter.engines.native.module import Module
from rulewright.interpreter.engines.reference import Reference
from tests.interpreter.programs import GLOBAL, Writer, c, cell, do, end_game, op, put, v

FIRST = 7
CELLS = 3
"""Cells for what comes out, and for what is asked; those of the board come after them."""


def on(place: ir.Expr, far: int = 0) -> ir.Expr:
    """What lies on a place of the board."""
    return ir.Load(op(c(GLOBAL + CELLS - FIRST + far), "+", place))


def there(count: int) -> tuple[int, ...]:
    return tuple(range(FIRST, FIRST + count))


def agree(
    w: Writer,
    total: int,
    count: int,
    *,
    seen: bool,
    sign: str = "@llvm.cttz.i64(i64 %",
    table: tuple[object, ...] = (),
) -> None:
    """Native code and the definition leave the same on boards of any numbers."""
    table = table or tuple(Random(3).choices(range(-1, 4), k=count))
    fill = [put(1, v(0)), put(0, op(op(cell(0), "*", c(31)), "+", ir.CallValue(total, (v(0),))))]
    turns = ir.ForRange(0, c(-2), c(4), (*fill, put(0, op(cell(0), "%", c(10007)))))
    program = w.program(
        w.procedure(0, 6, [do(turns), end_game()]), tables=(table,), cells=CELLS + count + 1
    )
    assert (sign in source(Module(program))) is seen
    random = Random(count)
    for level in (0, 2):
        engine, slow = NativeEngine(program, level), Reference(program)
        for _ in range(4):
            one, other = engine.start(), slow.start()
            for place in range(count + 1):
                one[GLOBAL + CELLS + place] = other[GLOBAL + CELLS + place] = random.randrange(
                    -1, 4
                )
            engine.run(one)
            slow.run(other)
            assert one == other
        assert engine.handed_over == 0


ADD = ir.SetLocal(1, op(op(op(v(1), "*", c(3)), "+", v(2)), "%", c(997)))
PRINTED = ir.Table(0, op(v(2), "-", c(FIRST)))

ASKED = [
    pytest.param(op(on(v(2)), "==", v(0)), id="what is there"),
    pytest.param(op(cell(1), "<=", on(v(2), far=1)), id="beside it"),
    pytest.param(op(on(v(2)), "!=", PRINTED), id="and what is printed"),
    pytest.param(ir.Or(op(on(v(2)), "<", c(0)), ir.Not(op(on(v(2)), ">=", v(0)))), id="one of two"),
    pytest.param(
        ir.And(ir.And(op(on(v(2)), ">", c(0)), op(v(2), "<", c(20))), op(on(v(2)), "<", v(0))),
        id="one after the other",
    ),
]


@pytest.mark.parametrize("count", [12, 39, 64, 65])
@pytest.mark.parametrize("asked", ASKED)
def test_loops_go_through_what_is_asked_for(asked: ir.Expr, count: int) -> None:
    w = Writer()
    loop = ir.ForEach(2, c(there(count)), (ir.If(asked, (ADD,)),))
    agree(w, w.function(1, 3, loop, ir.Return(v(1))), count, seen=count <= 64)


@pytest.mark.parametrize("asked", ASKED)
def test_loops_that_leave_out_and_are_left(asked: ir.Expr) -> None:
    w = Writer()
    body = (
        ir.If(asked, (ir.Mark(1), ir.Continue())),
        ir.If(op(v(1), ">", c(700)), (ir.Break(),)),
        ADD,
    )
    agree(w, w.function(1, 3, ir.ForEach(2, c(there(50)), body), ir.Return(v(1))), 50, seen=True)


@pytest.mark.parametrize(
    ("asked", "body"),
    [
        pytest.param(op(on(v(2)), "==", v(1)), (ADD,), id="what changes from turn to turn"),
        pytest.param(
            op(on(v(2)), "==", v(0)),
            (ADD, ir.Store(op(c(GLOBAL + CELLS - FIRST + 1), "+", v(2)), v(0))),
            id="cells that are written",
        ),
        pytest.param(
            op(op(on(v(2)), "-", on(v(2), far=1)), "==", v(0)), (ADD,), id="two cells in one number"
        ),
        pytest.param(
            op(on(op(v(2), "+", v(1))), "<", v(0)),
            (ir.SetLocal(1, op(v(1), "%", c(1))),),
            id="another place",
        ),
    ],
)
def test_what_may_change_is_asked_in_turn(asked: ir.Expr, body: tuple[ir.Stmt, ...]) -> None:
    w = Writer()
    loop = ir.ForEach(2, c(there(40)), (ir.If(asked, body),))
    total = w.function(1, 3, loop, ir.Return(v(1)))
    agree(w, total, 40, seen=False)


def test_the_last_number_stays_where_it_is_read_later() -> None:
    w = Writer()
    loop = ir.ForEach(2, c(there(30)), (ir.If(op(on(v(2)), "==", v(0)), (ADD,)),))
    last = ir.Return(op(op(v(1), "*", c(64)), "+", v(2)))
    agree(w, w.function(1, 3, loop, last), 30, seen=False)


@pytest.mark.parametrize("length", [0, 1, 3, 4, 5, 8, 11])
def test_items_are_looked_at_together(length: int) -> None:
    """Of a list that is worked out, so that nothing is known of its length."""
    w = Writer()
    listed = w.function(
        1,
        3,
        ir.SetLocal(1, ir.MakeList(())),
        ir.ForRange(
            2, c(0), op(v(0), "-", c(1)), (ir.Append(1, op(op(v(2), "*", c(5)), "%", c(13))),)
        ),
        ir.Return(v(1)),
    )
    both = ir.And(op(on(op(v(2), "+", c(FIRST))), "==", v(0)), ir.Not(op(v(2), "==", c(5))))
    chosen = op(ir.Choice(op(v(2), ">", c(6)), v(2), v(0)), "==", c(10))
    found = w.function(
        2,
        3,
        ir.ForEach(2, v(1), (ir.If(ir.Or(both, chosen), (ir.Return(c(1)),)),)),
        ir.Return(c(2)),
    )
    items = ir.CallValue(listed, (op(cell(2), "+", c(length)),))
    agree(w, w.function(1, 1, ir.Return(ir.CallValue(found, (v(0), items)))), 16, seen=False)


def lists(low: int, high: int, most: int = 9) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each of seven rows some lists of numbers; the first row has none, and the last an empty one."""
    random = Random(low)
    some = [
        tuple(
            tuple(random.choices(range(low, high + 1), k=random.randrange(1, 4)))
            for _ in range(random.randrange(most // 2, most))
        )
        for _ in range(5)
    ]
    return (), *some, ((low,), (), (high,))


def counted_lists(w: Writer, asked: ir.Expr, *then: ir.Stmt, yes: int = 1, no: int = 0) -> int:
    """How often, in short, a list of the row `v(0) + 2` has a number of which something holds."""
    scan = w.function(
        2,
        3,
        ir.ForEach(2, v(1), (ir.If(asked, (ir.Return(c(yes)),)),)),
        ir.Return(c(no)),
    )
    each = ir.If(ir.CallValue(scan, (v(0), v(2))), (*then, ir.SetLocal(1, op(v(1), "+", c(1)))))
    loop = ir.ForEach(2, ir.Table(0, op(v(0), "+", c(2))), (each,))
    return w.function(1, 3, loop, ir.Return(v(1)))


@pytest.mark.parametrize(("yes", "no", "low"), [(1, 0, FIRST), (0, 2, FIRST + 5)])
@pytest.mark.parametrize(("count", "seen"), [(11, False), (12, True), (64, True), (65, False)])
def test_lists_of_a_table_are_asked_by_their_bits(
    count: int, seen: bool, low: int, yes: int, no: int
) -> None:
    w = Writer()
    total = counted_lists(w, op(on(v(2)), "==", v(0)), yes=yes, no=no)
    table = lists(low, low + count - 1, most=count)
    agree(w, total, count + 5, seen=seen, sign="@W0", table=table)


@pytest.mark.parametrize(("step", "seen"), [(2, True), (4, True), (5, False)])
def test_cells_that_are_asked_by_bits_may_be_apart(step: int, seen: bool) -> None:
    w = Writer()
    place = op(op(op(v(2), "-", c(FIRST)), "*", c(step)), "+", c(FIRST + step - 1))
    total = counted_lists(w, ir.Not(op(on(place), "<", c(2))))
    agree(w, total, step * 30, seen=seen, sign="@W0", table=lists(FIRST, FIRST + 29, most=30))


def test_few_lists_and_loops_that_write_cells_are_asked_in_turn() -> None:
    asked = op(on(v(2)), "==", v(0))
    w = Writer()
    few = lists(FIRST, FIRST + 59, most=6)
    agree(w, counted_lists(w, asked), 60, seen=False, sign="@W0", table=few)
    w = Writer()
    write = ir.Store(c(GLOBAL + CELLS + 3), c(1))
    many = lists(FIRST, FIRST + 19, most=20)
    agree(w, counted_lists(w, asked, write), 20, seen=False, sign="@W0", table=many)


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(op(on(v(2)), "//", v(0)), id="a division"),
        pytest.param(op(on(op(v(2), "+", c(9))), "==", v(0)), id="beyond the cells"),
        pytest.param(op(on(op(c(70), "-", v(2))), "==", v(0)), id="backwards"),
    ],
)
def test_what_may_go_wrong_is_asked_in_turn(asked: ir.Expr) -> None:
    w = Writer()
    table = lists(FIRST, FIRST + 19, most=20)
    total = counted_lists(w, asked)
    native = source(
        Module(
            w.program(
                w.procedure(0, 6, [do(put(0, ir.CallValue(total, (c(1),)))), end_game()]),
                tables=(table,),
                cells=CELLS + 20,
            )
        )
    )
    assert "@W0" not in native


@pytest.mark.parametrize("low", [-3, 0, 5])
@pytest.mark.parametrize(("high", "seen"), [(6, True), (70, True), (30_000, False)])
def test_who_is_in_a_row_is_known_by_a_bit(low: int, high: int, seen: bool) -> None:
    random = Random(high)
    table = ((), *(tuple(random.choices(range(low, high), k=5)) for _ in range(5)), (low, high))
    w = Writer()
    row = ir.Table(0, op(v(0), "+", c(2)))
    item = op(op(on(v(2)), "*", c(3)), "+", v(2))
    near = (ir.Has(row, op(item, "-", c(20))), ir.Has(row, op(item, "+", c(high - 20))))
    turns = [ir.If(has, (ir.SetLocal(1, op(v(1), "+", v(2))),)) for has in near]
    total = w.function(1, 3, ir.ForRange(2, c(FIRST), c(FIRST + 30), tuple(turns)), ir.Return(v(1)))
    agree(w, total, 31, seen=seen, sign="x i8] [", table=table)
