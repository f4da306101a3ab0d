"""The meaning of each construct of the core IR, on every engine."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest

from rulewright.dsl import ir
from rulewright.dsl.ir_text import parse_expression, parse_steps
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.codegen import python
from rulewright.interpreter.engines.engine import Engine, LogLine, Refusal, is_finished, is_open
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.engines.playouts import at_random
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.text.faults import InternalError, RuleFault, Value
from tests.interpreter.programs import (
    CELLS,
    GLOBAL,
    Item,
    Writer,
    attempt,
    c,
    call,
    cell,
    chance,
    choose,
    do,
    end_game,
    finish,
    loop,
    op,
    put,
    scope,
    v,
    when,
)

Make = Callable[[ir.Program], Engine]


def checked_python(program: ir.Program) -> Engine:
    return python.compile(program, checked=True)


def native(program: ir.Program) -> Engine:
    return NativeEngine(program, level=0)


@pytest.fixture(
    params=[Reference, python.compile, checked_python, native],
    ids=["reference", "python", "checked", "native"],
)
def make(request: pytest.FixtureRequest) -> Make:
    make: Make = request.param
    return make


def items_to_program(w: Writer, *items: Item, locals_: int = 6) -> ir.Program:
    """A program whose main procedure (number 0, unless `w` has others) runs these items."""
    main = w.procedure(0, locals_, list(items))
    return w.program(main)


def ran(
    make: Make, *items: Item, w: Writer | None = None
) -> tuple[Engine, list[int], list[LogLine]]:
    """The engine, the globals and the log after the first run."""
    engine = make(items_to_program(w or Writer(), *items))
    cells = engine.start()
    log: list[LogLine] = []
    engine.run(cells, log)
    return engine, list(cells[GLOBAL : GLOBAL + CELLS]), log


# ---- expressions ---------------------------------------------------------------------------------

EXPRESSIONS: list[tuple[str, Value]] = [
    ("5", 5),
    ("(1, (2, 3))", (1, (2, 3))),
    ("v0", 7),
    ("v1", (4, 5, 6)),
    ("v3", 0),
    ("cell[10]", 30),
    ("cell[8 + 2]", 30),
    ("table0[1]", 11),
    ("table0[v0 - 6]", 11),
    ("table1[v0 - 7]", (1, 2)),
    ("v0 + 2", 9),
    ("v0 - (2 - v0)", 12),
    ("(v0 + 1) * (v0 - 1)", 48),
    ("-7 // 2", -4),
    ("-7 % 2", 1),
    ("(0 - v0) // 2", -4),
    ("(0 - v0) % 3", 2),
    ("v0 // (1 - 3)", -4),
    ("2 * (v0 // 2)", 6),
    ("v0 == 7", 1),
    ("v0 != 7", 0),
    ("v0 < 8", 1),
    ("v0 <= 6", 0),
    ("v0 > 7", 0),
    ("v0 >= 7", 1),
    ("(v0 == 7) + (v0 == 7)", 2),
    ("(v0 < 9) == (v0 < 8)", 1),
    ("min(v0, 3)", 3),
    ("max(cell[10], v0 * 5)", 35),
    ("not v0", 0),
    ("not not v0", 1),
    ("v0 * 5 // (v0 * 2)", 2),
    ("v0 * 9 % (v0 * 5)", 28),
    ("v0 and 5", 1),
    ("0 and p0()", 0),
    ("v0 or p0()", 1),
    ("0 or v0", 1),
    ("v0 - 7 or 0", 0),
    ("10 if v0 > 3 else p0()", 10),
    ("p0() if not v0 else v1", (4, 5, 6)),
    ("[]", ()),
    ("[v0]", (7,)),
    ("[v0, v1, v0 == 7]", (7, (4, 5, 6), 1)),
    ("len(v1)", 3),
    ("len(())", 0),
    ("len(table1[v0 - 6])", 0),
    ("v1[2]", 6),
    ("v1[3]", -1),
    ("v1[-1]", -1),
    ("v1[v0 - 7]", 4),
    ("v1[v0 - 8]", -1),
    ("v1[v0 - 4]", -1),
    ("table1[v0 - 7][1]", 2),
    ("table1[v0 - 7][2]", -1),
    ("5 in v1", 1),
    ("v0 in v1", 0),
    ("v0 in (7,)", 1),
    ("v0 in (1, 2, 3, 7, 9)", 1),
    ("v0 in (1, 2)", 0),
    ("v0 in ()", 0),
    ("not v0 in (1, 2)", 1),
    ("2 in table1[v0 - 7]", 1),
    ("v0 - 2 in table1[v0 - 5]", 1),
    ("1 in [v0, 1]", 1),
    ("p1(v0, 2)", 9),
    ("p2(v0 - 1)", 36),
    ("p3(12)", 12),
    ("p4()", 0),
]
TABLES: tuple[tuple[object, ...], ...] = ((10, 11, -12), ((1, 2), (), (1, 2, 3, 4, 5)))


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)))
def test_expressions_have_the_expected_value(make: Make, number: int) -> None:
    text, expected = EXPRESSIONS[number]
    expression = parse_expression(text)
    w = Writer()
    w.function(0, 0, ir.Fail(1, ()))
    w.function(2, 2, ir.Return(op(v(0), "+", v(1))))
    w.function(1, 1, ir.Return(op(v(0), "*", v(0))))
    w.function(1, 1, ir.If(op(v(0), "<", c(0)), (ir.Fault(0),)), ir.Return(v(0)))
    w.function(0, 0, ir.If(cell(0), (ir.Return(c(4)),)))
    asked = w.function(2, 4, ir.Return(expression))
    # The same result if the expression is stored, is a condition, or is logged.
    is_number = isinstance(expected, int)
    effects: list[ir.Stmt] = [ir.Log(0, (expression,), c(-1))]
    if is_number:
        effects += [put(5, expression), ir.If(expression, (put(6, c(1)),), (put(6, c(2)),))]
        effects += [ir.If(ir.Not(expression), (put(7, c(1)),), (put(7, c(2)),))]
    effect = w.function(2, 4, *effects)
    w.procedure(0, 0, [do(ir.CallPlain(effect, (c(7), c((4, 5, 6)))))])
    engine = make(w.program(tables=TABLES, start=((GLOBAL + 2, 30),)))
    cells = engine.start()
    value = engine.value(cells, asked, (7, (4, 5, 6)))
    assert value == expected
    assert type(value) is type(expected)
    log: list[LogLine] = []
    engine.run(cells, log)
    assert log == [(0, (expected,), -1)]
    if is_number:
        assert cells[GLOBAL + 5] == expected
        assert cells[GLOBAL + 6] == (1 if expected else 2)
        assert cells[GLOBAL + 7] == (2 if expected else 1)


# ---- statements ----------------------------------------------------------------------------------


def test_lists_are_values(make: Make) -> None:
    w = Writer()
    w.function(1, 1, ir.Return(v(0)))
    w.function(1, 1, ir.Append(0, c(9)), ir.Return(v(0)))
    asked = w.function(
        1,
        5,
        *parse_steps("""
        v1 = []
        v1.append(1)
        v2 = v1
        v3 = p0(v1)
        v1.append(p1(v1))
        v1.append(v0)
        v0.append(5)
        for v4 in v0:
            v0.append(v4)
        return [v1, v2, v3, v0]
        """),
    )
    w.procedure(0, 0, [])
    engine = make(w.program())
    given = (3, 4)
    expected = ((1, (1, 9), (3, 4)), (1,), (1,), (3, 4, 5, 3, 4, 5))
    assert engine.value(engine.start(), asked, (given,)) == expected
    assert given == (3, 4)


LOOPS = [
    (
        """
        for v1 in through(1, 4):
            v0 = v0 * 10 + v1
        v0 = v0 * 10 + v1
        """,
        12344,
    ),
    (
        """
        for v1 in through(3, 2):
            v0 = v0 * 10 + v1
        v0 = v0 * 10 + v1
        """,
        0,
    ),
    (
        """
        for v1 in through(v2, v2 + 2):
            v0 = v0 * 10 + v1
        """,
        12,
    ),
    (
        """
        for v1 in through(1, 3):
            v0 = v0 * 10 + v1
            v1 = 7
            v0 = v0 * 10 + v1
        """,
        172737,
    ),
    (
        """
        for v1 in (3, 1):
            v0 = v0 * 10 + v1
        v0 = v0 * 10 + v1
        """,
        311,
    ),
    (
        """
        for v1 in through(1, 9):
            if v1 == 3:
                continue
            if v1 == 6:
                break
            v0 = v0 * 10 + v1
        v0 = v0 * 10 + v1
        """,
        12456,
    ),
    (
        """
        v1 = 0
        while v1 < 5:
            v1 = v1 + 1
            if v1 == 2:
                continue
            for v3 in through(1, 5):
                if v3 == 2:
                    break
            v0 = v0 * 10 + v3
        """,
        2222,
    ),
    (
        """
        v1 = 3
        while 1:
            if v1 == 0:
                break
            v0 = v0 * 10 + v1
            v1 = v1 - 1
        """,
        321,
    ),
    (
        """
        if v0 == 1:
            v0 = v0 * 10 + 1
        elif v0 == 2:
            v0 = v0 * 10 + 2
        else:
            v0 = v0 * 10 + 3
        v0 = v0 * 10 + 4
        """,
        34,
    ),
    (
        """
        if 1:
            v0 = v0 * 10 + 1
        else:
            v0 = v0 * 10 + 2
        if 0:
            v0 = v0 * 10 + 3
        """,
        1,
    ),
]
"""Steps that collect digits in local 0, and the collected number."""


@pytest.mark.parametrize("number", range(len(LOOPS)))
def test_loops_run_as_often_as_they_should(make: Make, number: int) -> None:
    text, expected = LOOPS[number]
    body = parse_steps(text)
    w = Writer()
    asked = w.function(0, 4, *body, ir.Return(v(0)))
    w.procedure(0, 4, [do(*body, put(0, v(0)))])
    engine = make(w.program())
    cells = engine.start()
    assert engine.value(cells, asked) == expected
    engine.run(cells)
    assert cells[GLOBAL] == expected


KNOWN = [4, 9, 4, 0, 7, 9]
"""The first cells; cell 10 gives the number of used ones."""


def finders(w: Writer) -> tuple[int, int]:
    """Procedures that give the place of a cell with a number, or -1, and a list of cells."""
    here = ir.Load(op(c(GLOBAL), "+", v(1)))
    turn = ir.If(op(here, "==", v(0)), (ir.Return(v(1)),))
    place = w.function(1, 2, ir.ForRange(1, c(0), c(5), (turn,)), ir.Return(c(-1)))
    listed = w.function(
        0,
        2,
        ir.SetLocal(0, ir.MakeList(())),
        ir.ForRange(1, c(0), op(c(-1), "+", cell(10)), (ir.Append(0, here),)),
        ir.Return(v(0)),
    )
    return place, listed


@pytest.mark.parametrize("wanted", [0, 4, 5, 7, 9])
def test_conditions_that_repeat_a_query_keep_their_value(make: Make, wanted: int) -> None:
    w = Writer()
    place, _ = finders(w)
    found = ir.CallValue(place, (v(0),))
    there = ir.Load(op(c(GLOBAL), "+", found))
    is_found = op(found, ">=", c(0))
    unsure = ir.Or(op(v(0), "==", c(7)), op(found, ">", c(0)))
    conditions: list[ir.Expr] = [
        ir.And(is_found, op(there, "==", v(0))),
        ir.Or(ir.Not(is_found), op(there, "<", c(8))),
        ir.And(ir.And(unsure, is_found), op(there, "==", v(0))),
        ir.And(ir.Not(unsure), op(found, "==", c(0))),
        ir.Not(ir.And(ir.And(op(v(0), ">", c(0)), is_found), op(found, "<", c(3)))),
        ir.Or(ir.And(op(v(0), "==", c(4)), is_found), op(found, "==", c(5))),
    ]
    at = KNOWN.index(wanted) if wanted in KNOWN else -1
    unsurely = wanted == 7 or at > 0
    expected = (
        at >= 0,
        at < 0 or wanted < 8,
        unsurely and at >= 0,
        not unsurely and at == 0,
        not (wanted > 0 <= at < 3),
        wanted == 4 or at == 5,
    )
    asked = w.function(1, 1, ir.Return(ir.MakeList(tuple(conditions))))
    # The same with branches between blocks.
    items: list[Item] = [do(ir.SetLocal(0, c(wanted)))]
    items += [
        when(one, [do(put(11, op(cell(11), "+", c(2**n))))]) for n, one in enumerate(conditions)
    ]
    main = w.procedure(0, 1, [*items, end_game()])
    engine = make(w.program(main, start=tuple((GLOBAL + n, x) for n, x in enumerate(KNOWN))))
    cells = engine.start()
    assert engine.value(cells, asked, (wanted,)) == tuple(map(int, expected))
    engine.run(cells)
    assert cells[GLOBAL + 11] == sum(2**n for n, holds in enumerate(expected) if holds)


@pytest.mark.parametrize("count", [-20, -1, 0, 2, 5])
def test_loops_with_invariants_keep_their_value(make: Make, count: int) -> None:
    w = Writer()
    place, listed = finders(w)
    cells_ = ir.CallValue(listed, ())
    fails = w.function(0, 1, ir.ForRange(0, c(0), c(3), ()), ir.Fail(1, ()), ir.Return(c(1)))
    failing = op(ir.CallValue(fails, ()), "==", c(1))
    chosen = w.function(
        0,
        2,
        ir.SetLocal(0, ir.MakeList(())),
        ir.ForEach(1, c((0, 4, 5, 7, 9)), (ir.If(ir.Has(cells_, v(1)), (ir.Append(0, v(1)),)),)),
        ir.Return(v(0)),
    )
    summed = w.function(
        0,
        2,
        ir.ForEach(1, cells_, (ir.SetLocal(0, op(v(0), "+", v(1))),)),
        ir.ForRange(1, c(0), c(20), (ir.If(ir.And(op(v(1), ">", c(30)), failing), (ir.Break(),)),)),
        ir.Return(ir.MakeList((v(0), ir.Length(cells_), ir.CallValue(place, (v(0),))))),
    )
    w.procedure(0, 0, [])
    start = (*((GLOBAL + n, value) for n, value in enumerate(KNOWN)), (GLOBAL + 10, count))
    engine = make(w.program(start=start))
    cells = engine.start()
    counted = KNOWN[: max(count, 0)]
    total = sum(counted)
    at = KNOWN.index(total) if total in KNOWN else -1
    assert engine.value(cells, summed) == (total, len(counted), at)
    assert engine.value(cells, chosen) == tuple(x for x in (0, 4, 5, 7, 9) if x in counted)
    assert engine.value(cells, listed) == tuple(counted)


def test_return_leaves_loops(make: Make) -> None:
    w = Writer()
    inner = ir.ForRange(1, c(0), c(5), (ir.If(op(v(1), "==", v(0)), (ir.Return(c(42)),)),))
    asked = w.function(
        1, 3, ir.While(op(v(2), "<", c(1)), (inner, ir.Return(c(1)))), ir.Return(c(2))
    )
    w.procedure(0, 0, [])
    engine = make(w.program())
    assert engine.value(engine.start(), asked, (3,)) == 42
    assert engine.value(engine.start(), asked, (9,)) == 1


def test_plain_procedures_have_effects(make: Make) -> None:
    w = Writer()
    add = w.function(
        2, 2, ir.Store(op(c(GLOBAL), "+", v(0)), op(ir.Load(op(c(GLOBAL), "+", v(0))), "+", v(1)))
    )
    twice = w.function(
        1, 1, ir.CallPlain(add, (v(0), c(2))), ir.CallPlain(add, (v(0), c(3))), ir.Return()
    )
    _, cells, _ = ran(make, do(ir.CallPlain(twice, (c(4),))), w=w)
    assert cells[4] == 5


def test_lists_in_frames_are_kept_apart(make: Make) -> None:
    w = Writer()
    items_ = w.function(0, 0, ir.Return(c((4, 5, 6))))
    _, cells, log = ran(
        make,
        do(
            ir.SetLocalList(1, 3, ir.CallValue(items_, ())),
            ir.Log(0, (ir.LocalList(1), ir.Length(ir.LocalList(1))), c(-1)),
            put(0, ir.At(ir.LocalList(1), c(1))),
            put(1, ir.At(ir.LocalList(1), c(3))),
            put(2, ir.Has(ir.LocalList(1), c(6))),
            ir.ForEach(0, ir.LocalList(1), (put(3, op(op(cell(3), "*", c(10)), "+", v(0))),)),
            ir.SetLocalList(1, 3, ir.MakeList((ir.At(ir.LocalList(1), c(2)),))),
            ir.Log(0, (ir.LocalList(1),), c(-1)),
        ),
        w=w,
    )
    assert cells[:4] == [5, -1, 1, 456]
    assert log == [(0, ((4, 5, 6), 3), -1), (0, ((6,),), -1)]


def test_lines_of_the_log(make: Make) -> None:
    engine, _, log = ran(
        make, do(ir.Log(3, (c(1), ir.MakeList((c(2), cell(1)))), c(2))), end_game()
    )
    assert log == [(3, (1, (2, 0)), 2)]
    cells = engine.start()
    engine.run(cells)
    assert cells[ir.OVER] == 1


# ---- blocks --------------------------------------------------------------------------------------


def test_calls_have_frames_of_their_own(make: Make) -> None:
    w = Writer()
    w.procedure(2, 3, [do(ir.SetLocal(2, op(v(0), "-", v(1))), put(1, v(2)))])
    program = items_to_program(
        w, do(ir.SetLocal(0, c(9))), call(0, v(0), c(4)), do(put(0, v(0))), end_game(), locals_=2
    )
    engine = make(program)
    cells = engine.start()
    assert cells[ir.FP] == program.stack
    assert list(cells[program.stack : cells[ir.SP]]) == [ir.HALT, 0, 0, 0]
    assert cells[ir.RESUME] == program.suspending[1].entry
    engine.run(cells)
    assert cells[GLOBAL : GLOBAL + 2].tolist() == [9, 5]
    assert cells[:8].tolist() == [ir.HALT, program.stack, program.stack + 4, -1, -1, 0, 0, 1]
    assert not any(cells[cells[ir.SP] :])
    engine.run(cells)  # nothing more
    assert cells[ir.OVER] == 1


def test_branches_and_loops_of_blocks(make: Make) -> None:
    _, cells, _ = ran(
        make,
        loop(
            op(v(0), "<", c(5)),
            [
                do(ir.SetLocal(0, op(v(0), "+", c(1)))),
                when(
                    op(v(0), "==", c(2)), [do(put(0, c(1)))], [do(put(1, op(cell(1), "+", v(0))))]
                ),
                when(op(v(0), "==", c(4)), [finish()]),
            ],
        ),
        do(put(2, c(1))),
    )
    assert cells[:3] == [1, 8, 0]


def numbers(w: Writer, low: int, high: int) -> int:
    """An enumerator that offers low .. high, but refuses the number in global 0."""
    option = ir.If(op(v(0), "!=", cell(0)), (ir.Offer(v(0)),), (ir.Refuse(v(0), 4, (v(0),)),))
    return w.function(0, 1, ir.ForRange(0, c(low), c(high), (option,)))


def test_decisions_offer_the_expected_options(make: Make) -> None:
    w = Writer()
    site = w.site(0, 1, numbers(w, 1, 3))
    program = items_to_program(
        w, do(put(0, c(2))), choose(site, c(1), 1), do(put(1, v(1))), end_game()
    )
    engine = make(program)
    cells = engine.start()
    with pytest.raises(InternalError):
        engine.options(cells)
    with pytest.raises(InternalError):
        engine.answer(cells, 1)
    engine.run(cells)
    assert is_open(cells)
    assert cells[ir.SITE] == site
    assert cells[ir.PLAYER] == 1
    assert program.blocks[cells[ir.RESUME]].procedure == 0
    before = cells[:]
    engine.run(cells)
    assert cells == before
    assert engine.options(cells) == [1, 3]
    assert engine.refusals(cells) == {2: Refusal(4, (2,))}
    assert engine.has_option(cells, 3)
    assert not engine.has_option(cells, 2)
    assert not engine.has_option(cells, 17)
    assert cells == before
    copy = cells[:]
    engine.advance(copy, 3)
    assert cells == before
    assert copy[GLOBAL + 1] == 3
    assert copy[ir.SITE] == copy[ir.PLAYER] == -1
    with pytest.raises(InternalError):
        engine.options(copy)


def test_arguments_of_sites_are_passed(make: Make) -> None:
    w = Writer()
    enumerator = w.function(2, 3, ir.ForEach(2, v(1), (ir.Offer(op(v(0), "+", v(2))),)))
    site = w.site(0, 1, enumerator, v(0), ir.LocalList(2))
    program = items_to_program(
        w,
        do(ir.SetLocal(0, c(10)), ir.SetLocalList(2, 3, c((3, 1)))),
        choose(site, c(0), 1),
    )
    engine = make(program)
    cells = engine.start()
    engine.run(cells)
    assert engine.options(cells) == [13, 11]
    assert engine.site_arguments(cells) == (10, (3, 1))
    assert engine.prompt_arguments(cells) == (10, (3, 1))


def test_enumerators_in_parts_find_every_option(make: Make) -> None:
    w = Writer()
    part = w.function(
        1, 1, ir.If(op(v(0), "==", c(3)), (ir.Refuse(v(0), 1, ()), ir.Return())), ir.Offer(v(0))
    )
    whole = w.function(
        0,
        1,
        ir.CallPlain(part, (c(3),)),
        ir.ForRange(0, c(4), c(6), (ir.CallPlain(part, (v(0),)),)),
        ir.If(cell(1), (ir.Return(),)),
        ir.Offer(c(9)),
    )
    site = w.site(0, 0, whole)
    engine, _, _ = ran(make, choose(site, c(0), 0), w=w)
    cells = engine.start()
    engine.run(cells)
    assert engine.options(cells) == [4, 5, 6, 9]
    assert [engine.has_option(cells, option) for option in (3, 5, 9)] == [False, True, True]
    assert engine.refusals(cells) == {3: Refusal(1, ())}
    cells[GLOBAL + 1] = 1
    assert engine.options(cells) == [4, 5, 6]


def test_chance_is_asked_for_and_answered(make: Make) -> None:
    w = Writer()
    site = w.chance_site(0, 2)
    engine, _, _ = ran(
        make,
        chance(site, c(1), 2),
        chance(site, op(cell(0), "+", c(3)), 2),
        do(put(1, v(2))),
        end_game(),
        w=w,
    )
    cells = engine.start()
    engine.run(cells)
    assert (cells[ir.SITE], cells[ir.PLAYER], cells[ir.BOUND]) == (site, -1, 3)
    assert engine.options(cells) == [0, 1, 2]
    assert engine.has_option(cells, 2)
    assert not engine.has_option(cells, 3)
    assert engine.refusals(cells) == {}
    with pytest.raises(InternalError):
        engine.answer(cells, 3)
    engine.advance(cells, 2)
    assert cells[GLOBAL + 1] == 2
    assert (cells[ir.SITE], cells[ir.BOUND]) == (-1, 0)


# ---- faults --------------------------------------------------------------------------------------


def fault_of(make: Make, *items: Item, w: Writer | None = None) -> tuple[str, str]:
    engine = make(items_to_program(w or Writer(), *items))
    cells = engine.start()
    with pytest.raises(RuleFault) as raised:
        engine.run(cells)
    return raised.value.code, raised.value.message


def test_faults_stop_the_match_with_their_code(make: Make) -> None:
    assert fault_of(make, do(ir.Fault(2))) == ("fault-2", "fault number 2")
    assert fault_of(make, do(ir.Fail(3, ()))) == ("impossible-step", "message 3")


def test_a_decision_without_options_is_impossible(make: Make) -> None:
    w = Writer()
    site = w.site(0, 0, numbers(w, 0, 0), empty=6)
    assert fault_of(make, choose(site, c(0), 0), w=w) == ("impossible-step", "message 6")


def test_recursion_that_is_too_deep_is_a_fault(make: Make) -> None:
    w = Writer()
    w.procedure(0, 3, [call(0)])
    assert fault_of(make, call(0), w=w)[0] == "too-deep"
    w = Writer()
    w.function(0, 0, ir.Return(op(c(1), "+", ir.CallValue(0, ()))))
    assert fault_of(make, do(put(0, ir.CallValue(0, ()))), w=w)[0] == "too-deep"


@pytest.mark.slow
def test_a_loop_without_progress_is_a_fault() -> None:
    turning: list[Item] = [loop(c(1), [do(put(0, op(c(1), "-", cell(0))))])]
    inside: list[Item] = [do(ir.While(c(1), (put(0, c(1)),), counted=True))]
    handed: list[Item] = [loop(c(1), [when(cell(0), [call(0)]), call(0)])]
    for items in (turning, inside, handed):
        for make in (python.compile, lambda program: Reference(program, steps=1000)):
            w = Writer()
            w.procedure(0, 0, [])
            assert fault_of(make, *items, w=w)[0] == "no-progress"


def test_a_broken_promise_is_a_fault() -> None:
    broken: list[tuple[ir.Stmt, bool]] = [
        (put(0, ir.Load(c(1000))), True),
        (put(0, ir.Load(op(cell(0), "-", c(1)))), False),
        (ir.Store(op(cell(0), "-", c(2)), c(1)), False),
        (ir.Store(op(cell(0), "+", c(3)), c(1)), False),
        (put(0, ir.Table(0, op(cell(0), "+", c(3)))), True),
        (put(0, ir.Table(0, op(cell(0), "-", c(1)))), False),
        (put(0, op(c(1), "//", cell(0))), True),
        (put(0, c(2**31)), True),
        (ir.SetLocalList(0, 2, c((1, 2, 3))), True),
        (put(0, op(ir.MakeList(()), "+", c(1))), True),
    ]
    for statement, always in broken:
        w = Writer()
        w.procedure(0, 4, [do(statement)])
        program = w.program(tables=TABLES)
        for make in (Reference, checked_python, *([python.compile] if always else [])):
            engine = make(program)
            with pytest.raises(InternalError):
                engine.run(engine.start())


# ---- the search ----------------------------------------------------------------------------------


def toll(w: Writer, price: ir.Expr) -> None:
    """Procedure 0 of (who): pay `price` from global 0, or fail with message 5."""
    w.procedure(
        1,
        1,
        [
            do(
                ir.If(op(cell(0), "<", price), (ir.Fail(5, (price,)),)),
                put(0, op(cell(0), "-", price)),
            )
        ],
    )


@pytest.mark.parametrize(("coins", "possible"), [(0, False), (2, False), (3, True)])
def test_possible_looks_ahead_without_changing_anything(
    make: Make, coins: int, possible: bool
) -> None:
    w = Writer()
    toll(w, c(3))
    asked = w.function(0, 0, ir.Return(ir.Possible(0, (c(1),), c(1))))
    w.procedure(0, 1, [do(put(1, ir.Possible(0, (c(0),), c(0)))), end_game()])
    engine = make(w.program(1))
    cells = engine.start()
    cells[GLOBAL] = coins
    before = cells[:]
    assert engine.possible(cells, 0, (0,), 0) is possible
    assert engine.value(cells, asked) == possible
    assert cells == before
    engine.run(cells)
    assert cells[GLOBAL : GLOBAL + 2].tolist() == [coins, possible]


@pytest.mark.parametrize(("coins", "expected"), [(2, [2, 0, 1]), (3, [0, 1, 0])])
def test_try_undoes_what_fails(make: Make, coins: int, expected: list[int]) -> None:
    w = Writer()
    toll(w, c(3))
    main = w.procedure(
        0,
        1,
        [
            do(ir.SetLocal(0, c(7))),
            attempt(c(0), [call(0, v(0)), do(put(1, c(1)))], [do(put(2, c(1)))]),
            end_game(),
        ],
    )
    engine = make(w.program(main))
    cells = engine.start()
    cells[GLOBAL] = coins
    engine.run(cells)
    assert cells[GLOBAL : GLOBAL + 3].tolist() == expected
    assert cells[ir.GUARD] == 0


def steps(
    w: Writer,
    *,
    search: bool = True,
    actor: int = 0,
    second: int = 0,
    horizon: Item | None = None,
    settled: tuple[tuple[int, int], ...] = (),
    always: bool = False,
) -> int:
    """Choose 1..3 (site 0), perhaps something else, then 1..3 again (site 1): fails unless the sum
    is 5 or more.

    2 is refused first if global 0 is 2."""
    first = w.site(0, 0, numbers(w, 1, 3), search=search, empty=1)
    then = w.site(0, 1, numbers(w, 1, 3), search=search, empty=2, settled=settled, always=always)
    total = op(v(0), "+", v(1))
    between = [horizon] if horizon is not None else []
    return w.procedure(
        0,
        3,
        [
            scope(
                [
                    choose(first, c(actor), 0),
                    when(op(v(0), "==", c(1)), [do(ir.Fail(7, (v(0),)))]),
                    *between,
                    choose(then, c(second), 1),
                    when(op(total, "<", c(5)), [do(ir.Fail(8, (total,)))]),
                    do(put(2, total)),
                ]
            ),
            end_game(),
        ],
    )


def test_options_are_searched(make: Make) -> None:
    w = Writer()
    engine = make(w.program(steps(w)))
    cells = engine.start()
    engine.run(cells)
    assert cells[ir.GUARD] == 1
    assert engine.options(cells) == [2, 3]
    assert engine.refusals(cells) == {1: Refusal(7, (1,))}
    assert [engine.has_option(cells, option) for option in range(4)] == [False, False, True, True]
    engine.advance(cells, 2)
    assert engine.options(cells) == [3]
    assert engine.refusals(cells) == {1: Refusal(8, (3,)), 2: Refusal(8, (4,))}
    engine.advance(cells, 3)
    assert cells[GLOBAL + 2] == 5


@pytest.mark.parametrize("refused", [0, 2])
@pytest.mark.parametrize("second", [0, 1])
def test_random_plays_take_what_searches_found(make: Make, refused: int, second: int) -> None:
    """Within a Try, and outside; the numbers are those of the definition."""
    w = Writer()
    number = steps(w, second=second)
    again = do(put(3, op(cell(3), "+", cell(2))))
    turn = [attempt(c(0), [call(number)], []), again, call(number), again]
    w.blocks = [
        attrs.evolve(block, end=ir.Finish()) if isinstance(block.end, ir.EndGame) else block
        for block in w.blocks
    ]
    main = w.procedure(0, 1, [*turn, *turn, end_game()])
    program = w.program(main, start=((GLOBAL, refused),))
    engine, slow = make(program), Reference(program)
    for seed in range(20):
        one, other = engine.start(), slow.start()
        engine.run(one)
        slow.run(other)
        counts: list[int] = []
        engine.at_random(one, Generator.seeded(seed), Generator.seeded(seed, 1), None, counts)
        chosen: list[int] = []
        bots = Generator.seeded(seed, 1)
        at_random(slow, other, Generator.seeded(seed), bots, None, chosen)
        assert one == other
        assert counts == chosen
        assert len(counts) == 8


def test_the_first_step_of_a_way_is_taken_over(make: Make) -> None:
    w = Writer()
    site = w.site(0, 0, numbers(w, 1, 2), search=True, empty=1)
    body = [choose(site, c(0), 0), do(put(1, op(op(cell(1), "*", c(10)), "+", v(0))))]
    w.procedure(0, 1, [*body, *body])
    turn = [attempt(c(0), [call(0)], [])]
    main = w.procedure(0, 1, [choose(site, c(0), 0), *turn, *turn, end_game()])
    engine = make(w.program(main))
    met = set()
    for seed in range(40):
        cells = engine.start()
        engine.run(cells)
        counts: list[int] = []
        engine.at_random(cells, Generator.seeded(0), Generator.seeded(seed), None, counts)
        met.add(cells[GLOBAL + 1])
        one, other = Generator.seeded(seed), engine.start()
        engine.run(other)
        chosen: list[int] = []
        at_random(engine, other, Generator.seeded(0), one, None, chosen)
        assert cells == other
        assert counts == chosen
    assert len(met) > 8


def test_the_deepest_failure_is_the_reason(make: Make) -> None:
    w = Writer()
    engine = make(w.program(steps(w)))
    cells = engine.start()
    cells[GLOBAL] = 3  # 3 is refused in both
    engine.run(cells)
    with pytest.raises(RuleFault) as raised:
        engine.options(cells)
    assert (raised.value.code, raised.value.message) == ("impossible-step", "message 1")
    expected = {3: Refusal(4, (3,)), 1: Refusal(7, (1,)), 2: Refusal(8, (3,))}
    assert engine.refusals(cells) == expected


def test_without_search_or_scope_any_option_will_do(make: Make) -> None:
    w = Writer()
    engine = make(w.program(steps(w, search=False)))
    cells = engine.start()
    engine.run(cells)
    assert engine.options(cells) == [1, 2, 3]
    w = Writer()
    engine = make(w.program(steps(w)))
    cells = engine.start()
    engine.run(cells)
    cells[ir.GUARD] = 0
    assert engine.options(cells) == [1, 2, 3]


def test_settled_options_are_not_searched(make: Make) -> None:
    w = Writer()
    program = w.program(steps(w, settled=((0, 1), (2, 3))))
    settled = attrs.evolve(program.sites[0], settled=((1, 2), (3, 9)))
    engine = make(attrs.evolve(program, sites=(settled, program.sites[1])))
    cells = engine.start()
    cells[GLOBAL] = 2  # at the second decision, too, 2 is not offered
    engine.run(cells)
    assert engine.options(cells) == [1, 3]
    assert engine.refusals(cells) == {2: Refusal(4, (2,))}
    assert [engine.has_option(cells, option) for option in range(4)] == [False, True, False, True]
    engine = make(program)
    cells = engine.start()
    engine.run(cells)
    # A player who has reached the second decision may choose 2 there.
    assert engine.options(cells) == [2, 3]
    cells[GLOBAL] = 2
    assert engine.options(cells) == [3]


@pytest.mark.parametrize("settled", [(), ((1, 2),)])
def test_where_something_is_always_settled_a_search_ends(
    make: Make, settled: tuple[tuple[int, int], ...]
) -> None:
    w = Writer()
    engine = make(w.program(steps(w, settled=settled, always=True)))
    cells = engine.start()
    engine.run(cells)
    assert engine.options(cells) == [2, 3]
    assert engine.refusals(cells) == {1: Refusal(7, (1,))}
    engine.advance(cells, 2)
    # Whether that decision is settled is another question.
    assert engine.options(cells) == ([1, 3] if settled else [3])


def test_possibility_ends_at_the_horizon(make: Make) -> None:
    for second, horizon in ((1, None), (0, "chance"), (0, "end")):
        w = Writer()
        item = None
        if horizon == "chance":
            item = chance(w.chance_site(0, 2), c(2), 2)
        elif horizon == "end":
            item = when(op(v(0), "==", c(3)), [end_game()])
        engine = make(w.program(steps(w, second=second, horizon=item)))
        cells = engine.start()
        cells[GLOBAL] = 3 if horizon is None else 4
        engine.run(cells)
        # Another player decides, dice are rolled, or the game is over: the search does not look
        # beyond this.
        assert engine.options(cells) == ([2] if horizon is None else [2, 3])


def test_the_limit_of_a_search(make: Make) -> None:
    w = Writer()
    program = w.program(steps(w), lookahead=3)
    engine = make(program)
    cells = engine.start()
    engine.run(cells)
    with pytest.raises(RuleFault) as raised:
        engine.options(cells)
    assert raised.value.code == "search-too-long"
    assert engine.has_option(cells, 3)
    assert engine.has_option(cells, 1) is False


def test_a_circle_is_searched_once(make: Make) -> None:
    w = Writer()
    site = w.site(0, 0, numbers(w, 1, 2), search=True, empty=1)
    turn = [choose(site, c(0), 0), do(put(1, op(v(0), "-", c(1))), ir.SetLocal(0, c(0)))]
    w.procedure(0, 1, [scope([loop(c(1), turn)]), end_game()])
    main = w.procedure(0, 0, [call(0)])
    engine = make(w.program(main, lookahead=50))
    cells = engine.start()
    engine.run(cells)
    assert not engine.possible(cells, 0, (), 0)
    with pytest.raises(RuleFault) as raised:
        engine.options(cells)
    assert raised.value.code == "impossible-step"


@pytest.mark.parametrize("place", [1, 1500, 4000])
def test_positions_are_distinguished_by_any_cell(make: Make, place: int) -> None:
    """A walk up to 3 by steps of 0 or 1: a step of 0 leads to the same place."""
    w = Writer()
    site = w.site(0, 0, numbers(w, 1, 2), search=True, empty=1)
    there = op(cell(place), "+", op(v(0), "-", c(1)))
    turn = [choose(site, c(0), 0), do(put(place, there), ir.SetLocal(0, c(0)))]
    w.procedure(0, 1, [scope([loop(op(cell(place), "<", c(3)), turn)]), end_game()])
    main = w.procedure(0, 0, [attempt(c(0), [call(0)], [do(put(2, c(1)))]), end_game()])
    engine = make(w.program(main, lookahead=12, cells=5000))
    cells = engine.start()
    engine.run(cells)
    assert engine.possible(cells, 0, (), 0)
    for walked in range(3):
        assert cells[GLOBAL + place] == walked
        assert engine.options(cells) == [1, 2]
        engine.advance(cells, 2)
    assert cells[ir.OVER]


def test_nested_tries_undo_their_own_steps(make: Make) -> None:
    w = Writer()
    toll(w, c(2))
    main = w.procedure(
        0,
        1,
        [
            attempt(
                c(0),
                [
                    call(0, c(0)),
                    attempt(c(0), [call(0, c(0)), call(0, c(0))], [do(put(2, c(1)))]),
                    do(put(1, c(1))),
                ],
                [do(put(3, c(1)))],
            ),
            end_game(),
        ],
    )
    engine = make(w.program(main))
    for coins, expected in ((1, [1, 0, 0, 1]), (4, [2, 1, 1, 0]), (6, [0, 1, 0, 0])):
        cells = engine.start()
        cells[GLOBAL] = coins
        engine.run(cells)
        assert cells[GLOBAL : GLOBAL + 4].tolist() == expected


# ---- single procedures, marks --------------------------------------------------------------------


def test_one_procedure_can_be_called_alone(make: Make) -> None:
    w = Writer()
    site = w.site(1, 1, numbers(w, 1, 3))
    w.procedure(0, 2, [loop(c(1), [choose(w.site(0, 1, numbers(w, 5, 6)), c(0), 1)])])
    w.procedure(1, 2, [choose(site, v(0), 1), do(put(1, v(1)))])
    engine = make(w.program())
    cells = engine.start()
    engine.run(cells)
    before = cells[:]
    alone = engine.call(cells, 1, (2,))
    assert cells == before
    engine.run(alone)
    assert not is_finished(alone)
    assert alone[ir.PLAYER] == 2
    assert engine.options(alone) == [1, 2, 3]
    engine.advance(alone, 3)
    assert is_finished(alone)
    assert alone[GLOBAL + 1] == 3
    assert alone[ir.SP] == before[ir.SP]
    with pytest.raises(InternalError):
        engine.call(cells, 1, ())


def test_marks_are_restored() -> None:
    w = Writer()
    toll(w, c(1))
    site = w.site(1, 0, w.function(0, 0, ir.Mark(1), ir.Offer(c(1)), ir.Mark(2), ir.Offer(c(2))))
    looped = w.function(0, 1, ir.ForRange(0, c(1), c(5), (ir.Mark(3),)))
    main = w.procedure(
        0,
        1,
        [
            do(ir.Mark(0), ir.CallPlain(looped, ())),
            attempt(c(0), [do(ir.Mark(4)), call(0, c(0))], [do(ir.Mark(5))]),
            choose(site, c(0), 0),
            do(ir.Mark(6)),
            end_game(),
        ],
    )
    program = w.program(main)
    reference = Reference(program, counts=[0] * 8)
    engine = python.compile(program, coverage=True)
    for each in (reference, engine):
        cells = each.start()
        each.run(cells)
        assert each.counts == [1, 1, 0, 5, 0, 1, 0, 0]
        assert each.has_option(cells, 2)
        assert each.options(cells) == [1, 2]
        assert each.counts == [1, 2, 1, 5, 0, 1, 0, 0]
        each.advance(cells, 2, [])
        assert each.counts == [1, 2, 1, 5, 0, 1, 1, 0]
    assert "COUNTS" not in python.compile(program).source
