"""Conditions on all cells of a board at once, and on several items of a list together."""

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
"""Cells for results and for arguments, followed by those of the board."""


def on(place: ir.Expr, far: int = 0) -> ir.Expr:
    """The number in a place of the board."""
    return ir.Load(op(c(GLOBAL + CELLS - FIRST + far), "+", place))


def there(count: int) -> tuple[int, ...]:
    return tuple(range(FIRST, FIRST + count))


@pytest.fixture(params=[0, pytest.param(2, marks=pytest.mark.deep)])
def level(request: pytest.FixtureRequest) -> int:
    """The optimisation level of native code; in `make test` the lowest."""
    return int(request.param)


def agree(
    w: Writer,
    level: int,
    total: int,
    count: int,
    *,
    seen: bool,
    sign: str = "@llvm.cttz.i64(i64 %",
    table: tuple[object, ...] = (),
    more: tuple[tuple[object, ...], ...] = (),
) -> None:
    """Native code and the definition give the same results on boards with any numbers."""
    table = table or tuple(Random(3).choices(range(-1, 4), k=count))
    fill = [put(1, v(0)), put(0, op(op(cell(0), "*", c(31)), "+", ir.CallValue(total, (v(0),))))]
    turns = ir.ForRange(0, c(-2), c(4), (*fill, put(0, op(cell(0), "%", c(10007)))))
    program = w.program(
        w.procedure(0, 6, [do(turns), end_game()]), tables=(table, *more), cells=CELLS + count + 1
    )
    assert (sign in source(Module(program))) is seen
    random = Random(count)
    engine, slow = NativeEngine(program, level), Reference(program)
    for _ in range(4):
        one, other = engine.start(), slow.start()
        for place in range(count + 1):
            one[GLOBAL + CELLS + place] = other[GLOBAL + CELLS + place] = random.randrange(-1, 4)
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
def test_loops_go_through_what_is_asked_for(asked: ir.Expr, count: int, level: int) -> None:
    w = Writer()
    loop = ir.ForEach(2, c(there(count)), (ir.If(asked, (ADD,)),))
    agree(w, level, w.function(1, 3, loop, ir.Return(v(1))), count, seen=count <= 64)


@pytest.mark.parametrize("asked", ASKED)
def test_loops_that_leave_out_and_are_left(asked: ir.Expr, level: int) -> None:
    w = Writer()
    body = (
        ir.If(asked, (ir.Mark(1), ir.Continue())),
        ir.If(op(v(1), ">", c(700)), (ir.Break(),)),
        ADD,
    )
    agree(
        w,
        level,
        w.function(1, 3, ir.ForEach(2, c(there(50)), body), ir.Return(v(1))),
        50,
        seen=True,
    )


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
def test_conditions_that_may_change_use_no_mask(
    asked: ir.Expr, body: tuple[ir.Stmt, ...], level: int
) -> None:
    w = Writer()
    loop = ir.ForEach(2, c(there(40)), (ir.If(asked, body),))
    total = w.function(1, 3, loop, ir.Return(v(1)))
    agree(w, level, total, 40, seen=False)


def test_the_last_number_stays_where_it_is_read_later(level: int) -> None:
    w = Writer()
    loop = ir.ForEach(2, c(there(30)), (ir.If(op(on(v(2)), "==", v(0)), (ADD,)),))
    last = ir.Return(op(op(v(1), "*", c(64)), "+", v(2)))
    agree(w, level, w.function(1, 3, loop, last), 30, seen=False)


@pytest.mark.parametrize("length", [0, 1, 3, 4, 5, 8, 11])
def test_items_are_looked_at_together(length: int, level: int) -> None:
    """Of a computed list, so that its length is unknown."""
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
    agree(w, level, w.function(1, 1, ir.Return(ir.CallValue(found, (v(0), items)))), 16, seen=False)


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
    """Counts the lists of the row `v(0) + 2` with a number that fulfils a condition."""
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
    count: int, seen: bool, low: int, yes: int, no: int, level: int
) -> None:
    w = Writer()
    total = counted_lists(w, op(on(v(2)), "==", v(0)), yes=yes, no=no)
    table = lists(low, low + count - 1, most=count)
    agree(w, level, total, count + 5, seen=seen, sign="@W0", table=table)


@pytest.mark.parametrize(("step", "seen"), [(2, True), (4, True), (5, False)])
def test_cells_that_are_asked_by_bits_may_be_apart(step: int, seen: bool, level: int) -> None:
    w = Writer()
    place = op(op(op(v(2), "-", c(FIRST)), "*", c(step)), "+", c(FIRST + step - 1))
    total = counted_lists(w, ir.Not(op(on(place), "<", c(2))))
    agree(
        w, level, total, step * 30, seen=seen, sign="@W0", table=lists(FIRST, FIRST + 29, most=30)
    )


def test_few_lists_and_loops_that_write_cells_are_asked_in_turn(level: int) -> None:
    asked = op(on(v(2)), "==", v(0))
    w = Writer()
    few = lists(FIRST, FIRST + 59, most=6)
    agree(w, level, counted_lists(w, asked), 60, seen=False, sign="@W0", table=few)
    w = Writer()
    write = ir.Store(c(GLOBAL + CELLS + 3), c(1))
    many = lists(FIRST, FIRST + 19, most=20)
    agree(w, level, counted_lists(w, asked, write), 20, seen=False, sign="@W0", table=many)


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(op(on(v(2)), "//", v(0)), id="a division"),
        pytest.param(op(on(op(v(2), "+", c(9))), "==", v(0)), id="beyond the cells"),
        pytest.param(op(on(op(c(70), "-", v(2))), "==", v(0)), id="backwards"),
    ],
)
def test_conditions_that_may_fail_use_no_mask(asked: ir.Expr) -> None:
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
def test_membership_in_a_row_is_one_bit(low: int, high: int, seen: bool, level: int) -> None:
    random = Random(high)
    table = ((), *(tuple(random.choices(range(low, high), k=5)) for _ in range(5)), (low, high))
    w = Writer()
    row = ir.Table(0, op(v(0), "+", c(2)))
    item = op(op(on(v(2)), "*", c(3)), "+", v(2))
    near = (ir.Has(row, op(item, "-", c(20))), ir.Has(row, op(item, "+", c(high - 20))))
    turns = [ir.If(has, (ir.SetLocal(1, op(v(1), "+", v(2))),)) for has in near]
    total = w.function(1, 3, ir.ForRange(2, c(FIRST), c(FIRST + 30), tuple(turns)), ir.Return(v(1)))
    agree(w, level, total, 31, seen=seen, sign="x i8] [", table=table)


DIRECTIONS = ((1, 0), (-1, 1), (0, -1))
"""On a board with `wide` columns: along a row, across, and back."""


def beside(count: int, wide: int) -> tuple[int, ...]:
    """The neighbour of each place in each direction; -1 for none."""
    found = []
    for place in range(count):
        for right, down in DIRECTIONS:
            x, y = place % wide + right, place // wide + down
            inside = 0 <= x < wide and y >= 0 and y * wide + x < count
            found.append(FIRST + y * wide + x if inside else -1)
    return tuple(found)


def lines(near: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The places in a line from each place, in each direction."""
    found = []
    for number in range(len(near)):
        line, here = [], near[number]
        while here >= 0:
            line.append(here)
            here = near[(here - FIRST) * len(DIRECTIONS) + number % len(DIRECTIONS)]
        found.append(tuple(line))
    return tuple(found)


def around(near: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All neighbours of each place."""
    ways = len(DIRECTIONS)
    rows = [near[first : first + ways] for first in range(0, len(near), ways)]
    return tuple(tuple(number for number in row if number >= 0) for row in rows)


def toward(place: ir.Expr, way: ir.Expr, table: int = 0) -> ir.Table:
    """A row for each place and direction."""
    number = op(op(place, "-", c(FIRST)), "*", c(len(DIRECTIONS)))
    return ir.Table(table, op(number, "+", way))


def of_there(to: ir.Expr) -> ir.Expr:
    """The number in a place that may not exist."""
    return ir.Choice(op(to, "<", c(0)), c(-1), on(to))


def led_to(w: Writer, kind: str) -> ir.Expr:
    """Conditions on `v(2)` that read other places, or only the number itself."""
    first = w.function(
        3,
        4,
        ir.ForEach(
            3, toward(v(0), v(2), 1), (ir.If(op(on(v(3)), "!=", v(1)), (ir.Return(v(3)),)),)
        ),
        ir.Return(c(-1)),
    )

    def along(way: ir.Expr) -> ir.Expr:
        return ir.CallValue(first, (v(2), op(v(0), "%", c(3)), way))

    def scan(of: ir.Expr, condition: ir.Expr, yes: int, no: int) -> ir.Expr:
        turn = ir.If(condition, (ir.Return(c(yes)),))
        return ir.CallValue(
            w.function(2, 3, ir.ForEach(2, of, (turn,)), ir.Return(c(no))), (v(2), v(0))
        )

    match kind:
        case "beside":
            return op(of_there(toward(v(2), c(1))), "==", v(0))
        case "beside, the other way round":
            return op(op(v(0), "+", c(1)), ">=", of_there(toward(v(2), c(0))))
        case "not beside":
            return ir.Not(op(of_there(toward(v(2), c(2))), "!=", v(0)))
        case "something there":
            return op(on(v(2)), "!=", c(0))
        case "a number as a condition":
            return on(v(2))
        case "no end":
            return op(along(c(0)), "<", c(0))
        case "an end":
            return ir.And(op(along(c(1)), ">=", c(0)), op(v(2), "!=", c(FIRST + 4)))
        case "what is at the end":
            return op(of_there(along(c(1))), "<", v(0))
        case "some direction":
            beside_it = ir.And(
                op(of_there(toward(v(0), v(2))), ">", v(1)),
                op(of_there(ir.CallValue(first, (v(0), c(2), v(2)))), "<", c(3)),
            )
            return scan(c((0, 1, 2)), beside_it, 1, 0)
        case "all directions":
            same = ir.Or(op(on(v(0)), "==", v(1)), op(toward(v(0), v(2)), "<", c(0)))
            return scan(c((0, 2)), same, 0, 3)
        case "some of those around":
            return scan(ir.Table(2, op(v(0), "-", c(FIRST))), op(on(v(2)), "==", v(1)), 1, 0)
        case _:
            assert kind == "one of two tables"
            chosen = ir.Choice(op(on(v(2)), ">", c(0)), of_there(toward(v(2), c(0))), v(0))
            return op(chosen, "==", c(1))


@pytest.mark.parametrize(("count", "wide"), [(20, 5), (64, 8)])
@pytest.mark.parametrize(
    "kind",
    [
        "beside",
        "beside, the other way round",
        "not beside",
        "something there",
        "a number as a condition",
        "no end",
        "an end",
        "what is at the end",
        "some direction",
        "all directions",
        "some of those around",
        "one of two tables",
    ],
)
def test_one_mask_answers_for_all_neighbours(kind: str, count: int, wide: int, level: int) -> None:
    w = Writer()
    loop = ir.ForEach(2, c(there(count)), (ir.If(led_to(w, kind), (ADD,)),))
    near = beside(count, wide)
    total = w.function(1, 3, loop, ir.Return(v(1)))
    agree(w, level, total, count, seen=True, table=near, more=(lines(near), around(near)))


def test_of_more_than_a_word_each_is_asked_in_turn(level: int) -> None:
    w, near = Writer(), beside(66, 6)
    loop = ir.ForEach(2, c(there(66)), (ir.If(led_to(w, "some direction"), (ADD,)),))
    total = w.function(1, 3, loop, ir.Return(v(1)))
    agree(w, level, total, 66, seen=False, table=near, more=(lines(near), around(near)))


def test_lines_that_are_not_each_a_part_of_the_one_before_are_asked_in_turn(level: int) -> None:
    w, near = Writer(), beside(20, 5)
    loop = ir.ForEach(2, c(there(20)), (ir.If(led_to(w, "what is at the end"), (ADD,)),))
    total = w.function(1, 3, loop, ir.Return(v(1)))
    some = list(lines(near))
    longest = max(range(1, len(some), len(DIRECTIONS)), key=lambda place: len(some[place]))
    some[longest] = some[longest][:-1]
    agree(w, level, total, 20, seen=False, table=near, more=(tuple(some), around(near)))


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(
            tuple((FIRST + (place * place * 7) % 20,) for place in range(20)), id="anywhere"
        ),
        pytest.param(tuple((FIRST + place + 1,) for place in range(20)), id="beyond the last"),
        pytest.param(tuple((place + FIRST - 1,) for place in range(20)), id="before the first"),
    ],
)
def test_unbounded_rows_use_no_mask(rows: tuple[tuple[int, ...], ...], level: int) -> None:
    w, near = Writer(), beside(20, 5)
    loop = ir.ForEach(2, c(there(20)), (ir.If(led_to(w, "some of those around"), (ADD,)),))
    total = w.function(1, 3, loop, ir.Return(v(1)))
    agree(w, level, total, 20, seen=False, table=near, more=(lines(near), rows))


def of_a_list(w: Writer, kind: str) -> ir.Expr:
    """Conditions on `v(2)` and the list in `v(3)`."""
    match kind:
        case "in it":
            return ir.Has(v(3), v(2))
        case "not in it, or it is short":
            return ir.Or(ir.Not(ir.Has(v(3), op(v(2), "+", c(1)))), op(ir.Length(v(3)), "<", v(0)))
        case "in a row of its own":
            return ir.Has(
                ir.Table(0, op(v(2), "-", c(FIRST))), op(op(v(0), "+", cell(2)), "+", c(FIRST))
            )
        case "cells that are apart":
            place = op(op(v(2), "-", c(FIRST)), "*", c(2))
            return on(op(place, "+", c(FIRST + 1)))
        case "in the row of one":
            return ir.Has(ir.Table(0, op(op(v(0), "+", cell(2)), "+", c(5))), v(2))
        case "in the rows of all others in it":
            beside_it = ir.Has(ir.Table(0, op(v(2), "-", c(FIRST))), v(1))
            turn = ir.If(op(v(2), "!=", v(1)), (ir.If(ir.Not(beside_it), (ir.Return(c(0)),)),))
            every = w.function(2, 3, ir.ForEach(2, v(0), (turn,)), ir.Return(c(1)))
            return ir.CallValue(every, (v(3), v(2)))
        case "around it one that is in it":
            turn = ir.If(
                ir.Or(ir.Has(v(1), v(2)), ir.Has(ir.Table(1, c(2)), v(2))), (ir.Return(c(1)),)
            )
            rows = ir.Table(1, op(v(0), "-", c(FIRST)))
            some = w.function(2, 3, ir.ForEach(2, rows, (turn,)), ir.Return(c(0)))
            return ir.CallValue(some, (v(2), v(3)))
        case "around it one that leads to all in it":
            leads = ir.Has(ir.Table(0, op(v(2), "-", c(FIRST))), v(1))
            turn = ir.If(ir.Not(leads), (ir.Return(c(0)),))
            every = w.function(2, 3, ir.ForEach(2, v(0), (turn,)), ir.Return(c(1)))
            turn = ir.If(ir.CallValue(every, (v(1), v(2))), (ir.Return(c(1)),))
            rows = ir.Table(1, op(v(0), "-", c(FIRST)))
            some = w.function(2, 3, ir.ForEach(2, rows, (turn,)), ir.Return(c(0)))
            return ir.CallValue(some, (v(2), v(3)))
        case "something in it that lies there":
            turn = ir.If(op(on(v(1)), "==", op(v(2), "%", c(4))), (ir.Return(c(1)),))
            some = w.function(2, 3, ir.ForEach(2, v(0), (turn,)), ir.Return(c(0)))
            return ir.CallValue(some, (v(3), v(2)))
        case _:
            assert kind == "beside all others in it"
            beside_it = ir.Has(ir.Table(0, op(v(1), "-", c(FIRST))), v(2))
            turn = ir.If(op(v(2), "!=", v(1)), (ir.If(ir.Not(beside_it), (ir.Return(c(0)),)),))
            every = w.function(2, 3, ir.ForEach(2, v(0), (turn,)), ir.Return(c(1)))
            return ir.CallValue(every, (v(3), v(2)))


def total_of_a_list(w: Writer, asked: ir.Expr, count: int, *more: ir.Stmt) -> int:
    """The result of a loop with a condition on a list of zero to three items."""
    first = op(cell(2), "+", c(FIRST + 4))
    items = [op(op(v(0), "*", c(number)), "+", first) for number in (1, 0, 2)]
    grow = [ir.If(op(v(0), "!=", c(at)), (ir.Append(3, item),)) for at, item in enumerate(items)]
    few = ir.If(op(v(0), ">", c(-2)), tuple(grow))
    loop = ir.ForEach(2, c(there(count)), (ir.If(asked, (ADD, *more)),))
    return w.function(1, 4, ir.SetLocal(3, ir.MakeList(())), few, loop, ir.Return(v(1)))


OF_A_LIST = [
    "in it",
    "not in it, or it is short",
    "in a row of its own",
    "in the row of one",
    "in the rows of all others in it",
    "around it one that is in it",
    "around it one that leads to all in it",
    "something in it that lies there",
    "beside all others in it",
]


@pytest.mark.parametrize("count", [20, 64])
@pytest.mark.parametrize("kind", [*OF_A_LIST, "cells that are apart"])
def test_lists_are_gone_through_once_for_all_numbers(kind: str, count: int, level: int) -> None:
    w = Writer()
    total = total_of_a_list(w, of_a_list(w, kind), count)
    near = tuple((*row, 99, -5) for row in around(beside(count, 4)))
    there = around(beside(count, 4))
    agree(w, level, total, 2 * count + 1, seen=True, table=near, more=(there,))


@pytest.mark.parametrize("kind", ["in it", "something in it that lies there"])
def test_lists_that_change_are_asked_in_turn(kind: str, level: int) -> None:
    w = Writer()
    grow = ir.If(op(ir.Length(v(3)), "<", c(5)), (ir.Append(3, op(v(2), "+", c(1))),))
    total = total_of_a_list(w, of_a_list(w, kind), 20, grow)
    agree(w, level, total, 20, seen=False, table=around(beside(20, 4)))
