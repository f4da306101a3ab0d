"""Optimisations of native code before it is written: bounds, tables, columns, common parts."""

from __future__ import annotations

from threading import Event, Thread

import pytest
from attrs import evolve

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import walk
from rulewright.interpreter.engines.native import kernel_groups
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.engines.native.llvm import compile_module
from rulewright.interpreter.engines.native.module import Module
from rulewright.interpreter.engines.native.optimise.ranges import ANY, Ranges
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.text.faults import InternalError
from tests.interpreter.programs import GLOBAL, Writer, c, cell, choose, do, end_game, op, put, v

SPACES = tuple(range(7, 17))
COLUMN = (2, 0, 2, 1, 0, 2, 5, 1, 2, 0)


COLUMN_OF: ir.Expr = ir.Table(0, op(v(2), "-", c(SPACES[0])))
"""The printed number of the space in local 2."""


def spaces_of(w: Writer) -> int:
    """The spaces with a number on them."""
    grow = ir.If(op(COLUMN_OF, "==", v(0)), (ir.Append(1, v(2)),))
    return w.function(
        1, 3, ir.SetLocal(1, ir.MakeList(())), ir.ForEach(2, c(SPACES), (grow,)), ir.Return(v(1))
    )


def in_turn(w: Writer, plain: int, low: int, high: int) -> ir.Program:
    """Store the results of a procedure for some numbers in visible cells."""
    value = ir.CallValue(plain, (v(0),))
    more = op(op(cell(0), "*", c(31)), "+", value)
    turns = ir.ForRange(0, c(low), c(high), (put(0, op(more, "%", c(1009))),))
    return w.program(w.procedure(0, 6, [do(turns), end_game()]), tables=(COLUMN,))


def agree(program: ir.Program) -> Module:
    """Native code and the definition give the same result; returns the optimised program."""
    engine, slow = NativeEngine(program, level=0), Reference(program)
    one, other = engine.start(), slow.start()
    engine.run(one)
    slow.run(other)
    assert one == other
    assert engine.handed_over == 0
    return Module(program)


def called_procedures(module: Module) -> set[int]:
    """The plain procedures that are called in blocks."""
    nodes = walk(tuple(block.body for block in module.program.blocks))
    return {node.procedure for node in nodes if isinstance(node, ir.CallValue)}


def test_a_value_of_few_numbers_is_a_table() -> None:
    w = Writer()
    listed = spaces_of(w)
    count = w.function(1, 1, ir.Return(ir.Length(ir.CallValue(listed, (v(0),)))))
    module = agree(in_turn(w, count, -2, 6))
    assert not called_procedures(module)
    assert (0, 0, 3, 2, 4, 0, 0, 1, 0) in module.program.tables


def test_a_value_that_faults_for_some_number_is_no_table() -> None:
    w = Writer()
    listed = spaces_of(w)
    first = ir.At(ir.CallValue(listed, (v(0),)), c(0))
    sure = w.function(
        1, 2, ir.SetLocal(1, first), ir.If(op(v(1), "<", c(0)), (ir.Fault(0),)), ir.Return(v(1))
    )
    assert called_procedures(agree(in_turn(w, sure, 0, 2))) == set()
    w = Writer()
    listed = spaces_of(w)
    sure = w.function(
        1, 2, ir.SetLocal(1, first), ir.If(op(v(1), "<", c(0)), (ir.Fault(0),)), ir.Return(v(1))
    )
    program = in_turn(w, sure, 0, 3)
    assert called_procedures(Module(program)) == {sure}


@pytest.mark.parametrize(("low", "high"), [(0, 5), (-3, 9), (-(10**6), -(10**6) + 3)])
def test_loops_go_through_what_fits_a_column(low: int, high: int) -> None:
    """Cells of the state are added, so the sum cannot be computed in advance."""
    w = Writer()
    kept = op(cell(1), "+", v(2))
    add = ir.SetLocal(1, op(v(1), "+", kept))
    test = op(COLUMN_OF, "==", v(0))
    total = w.function(1, 3, ir.ForEach(2, c(SPACES), (ir.If(test, (add,)),)), ir.Return(v(1)))
    module = agree(in_turn(w, total, low, high))
    loops = [n for n in walk(module.program.plain[total].body) if isinstance(n, ir.ForEach)]
    assert [type(one.of) for one in loops] == [ir.Table]


def test_unrolled_loops_omit_items_that_never_match() -> None:
    w = Writer()
    even = op(op(COLUMN_OF, "%", c(2)), "==", c(0))
    later = op(v(2), ">", op(v(0), "+", cell(1)))
    add = ir.SetLocal(1, op(op(v(1), "*", c(3)), "+", v(2)))
    total = w.function(
        1,
        3,
        ir.ForEach(2, c(SPACES), (ir.If(ir.And(even, later), (add,)),)),
        ir.Return(op(v(1), "%", c(1000))),
    )
    module = agree(in_turn(w, total, 0, 12))
    (one,) = [n for n in walk(module.program.plain[total].body) if isinstance(n, ir.ForEach)]
    assert one.of == c(tuple(s for s, n in zip(SPACES, COLUMN, strict=True) if n % 2 == 0))


@pytest.mark.parametrize("twice", [False, True])
def test_distinct_items_need_no_membership_test(twice: bool) -> None:
    """Items that may occur twice are compared, and so are those of a list that is used elsewhere."""
    w = Writer()
    items = (5, 3, 5, 1) if twice else (5, 3, 4, 1)
    add = ir.SetLocal(1, op(op(v(1), "*", c(7)), "+", op(v(2), "+", cell(1))))
    new = ir.If(ir.Not(ir.Has(v(3), v(2))), (ir.Append(3, v(2)), add))
    total = w.function(
        1,
        4,
        ir.SetLocal(3, ir.MakeList(())),
        ir.ForEach(2, c(items), (new,)),
        ir.Return(op(op(v(1), "+", v(0)), "%", c(997))),
    )
    module = agree(in_turn(w, total, 0, 4))
    asked = [n for n in walk(module.program.plain[total].body) if isinstance(n, ir.Has)]
    assert bool(asked) is twice


def test_ranges_of_locals_arguments_and_results() -> None:
    w = Writer()
    clamp = w.function(
        1,
        1,
        ir.If(op(v(0), "<", c(3)), (ir.Return(c(3)),)),
        ir.If(op(v(0), ">", c(8)), (ir.Return(c(8)),)),
        ir.Return(v(0)),
    )
    grows = w.function(
        1,
        2,
        ir.While(op(v(1), "<", v(0)), (ir.SetLocal(1, op(v(1), "+", c(1))),)),
        ir.Return(v(1)),
    )
    first, second = ir.CallValue(clamp, (cell(0),)), ir.CallValue(grows, (v(1),))
    program = w.program(w.procedure(0, 6, [do(ir.SetLocal(1, first), put(0, second)), end_game()]))
    ranges = Ranges(program)
    assert ranges.argument(clamp, 0) == ANY
    assert ranges.result(clamp) == (3, 8)
    assert ranges.argument(grows, 0) == (0, 8)  # a new frame is empty
    assert ranges.result(grows)[1] >= 8
    agree(program)


def test_a_frame_with_what_it_should_not_hold_is_given_up() -> None:
    """The cells belong to the caller; native code reads nothing beyond them."""
    w = Writer()
    site = w.site(0, 1, w.function(0, 0, ir.Offer(c(0)), ir.Offer(c(1))))
    fits = do(ir.SetLocal(0, ir.Choice(op(cell(0), "==", c(0)), c(3), c(2))))
    use = do(put(0, ir.Table(0, v(0))))
    program = w.program(
        w.procedure(0, 6, [fits, choose(site, c(0), 1), use, end_game()]), tables=(COLUMN,)
    )
    engine = NativeEngine(program, level=0)
    cells = engine.start()
    engine.run(cells)
    place = cells[ir.FP] + ir.FRAME
    assert cells[place] == 3
    cells[place] = 10**6
    with pytest.raises(InternalError):
        engine.advance(cells, 0)
    assert engine.handed_over == 1


@pytest.mark.parametrize("writes", [False, True])
def test_cells_beside_each_other_are_looked_at_where_they_are(writes: bool) -> None:
    """A list keeps its items, although the cells it came from are written meanwhile."""
    w = Writer()
    last = op(c(-1), "+", cell(5))
    read = ir.Load(op(c(GLOBAL + 6), "+", v(1)))
    used = w.function(
        0,
        2,
        ir.SetLocal(0, ir.MakeList(())),
        ir.ForRange(1, c(0), last, (ir.Append(0, read),)),
        ir.Return(v(0)),
    )
    add = ir.SetLocal(1, op(op(op(v(1), "*", c(5)), "+", v(2)), "%", c(997)))
    turn: tuple[ir.Stmt, ...] = (put(7, op(cell(7), "+", c(3))), add) if writes else (add,)
    total = w.function(
        1, 3, ir.ForEach(2, ir.CallValue(used, ()), turn), ir.Return(op(v(1), "+", v(0)))
    )
    fill = do(*(put(6 + place, c(place * place + 2)) for place in range(5)))
    value = ir.CallValue(total, (c(1),))
    turns = ir.ForRange(
        0, c(0), c(5), (put(5, v(0)), put(0, op(op(cell(0), "*", c(7)), "+", value)))
    )
    agree(w.program(w.procedure(0, 6, [fill, do(turns), end_game()])))


def test_kernels_are_made_once_also_by_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second copy at the same place would unload running code."""
    made, second_begins = [], Event()

    def quickly(text: str, _: int) -> bytes:
        made.append(text)
        second_begins.wait(60)
        return compile_module(text, 0)

    def ask() -> None:
        _ = group.functions

    def ask_second() -> None:
        second_begins.set()
        _ = group.functions

    monkeypatch.setattr(kernel_groups, "compile_module", quickly)
    group = evolve(kernel_groups.SEARCH)
    threads = [Thread(target=ask), Thread(target=ask_second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
