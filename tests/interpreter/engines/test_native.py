"""The native engine alone: steps that it gives up, programs that it refuses, random matches."""

from __future__ import annotations

import sys
from array import array
from random import Random
from threading import Thread
from types import ModuleType

import attrs
import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.codegen import python
from rulewright.interpreter.engines.engine import Engine
from rulewright.interpreter.engines.engines import engine_names, make_engine
from rulewright.interpreter.engines.native import engine as native_engine
from rulewright.interpreter.engines.native import llvm
from rulewright.interpreter.engines.native.engine import AT_ONCE, NativeEngine
from rulewright.interpreter.engines.native.runtime import CALLS
from rulewright.interpreter.engines.playouts import at_random, bot_generator
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.matches.game import load_game, rollouts
from rulewright.interpreter.text.errors import NoNativeEngineError
from rulewright.interpreter.text.faults import InternalError, RuleFault
from tests.interpreter.games import breakthrough, connect_four, market
from tests.interpreter.programs import (
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
    loop,
    op,
    put,
    v,
)


def native(program: ir.Program) -> NativeEngine:
    return NativeEngine(program, level=0)


def tiny(*items: Item, w: Writer | None = None) -> ir.Program:
    writer = w or Writer()
    return writer.program(writer.procedure(0, 6, [*items, end_game()]))


def offers(w: Writer, *options: int) -> int:
    return w.function(0, 0, *(ir.Offer(c(option)) for option in options))


# ---- plays at random -----------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("game", [connect_four, breakthrough, market])
def test_plays_are_those_of_the_definition(game: type, level: int) -> None:
    program = game()
    engine, slow = NativeEngine(program, level), Reference(program)
    for seed in range(4):
        one, other = engine.start(), slow.start()
        engine.run(one)
        slow.run(other)
        assert one == other
        drawn = [(Generator.seeded(seed), bot_generator(seed, 0)) for _ in range(2)]
        counts: tuple[list[int], list[int]] = [], []
        engine.at_random(one, *drawn[0], None, counts[0])
        at_random(slow, other, *drawn[1], None, counts[1])
        assert one == other
        assert one[ir.OVER]
        assert counts[0] == counts[1]
        assert [each.counter for each in drawn[0]] == [each.counter for each in drawn[1]]
    assert engine.handed_over == 0


class AtOnce:
    """Better code that is ready at the second request."""

    def __init__(self, text: str, level: int, levels: list[int]) -> None:
        self.text, self.level, self.levels, self.asked = text, level, levels, 0

    def finished_code(self) -> bytes | None:
        self.asked += 1
        if self.asked == 1:
            return None
        self.levels.append(self.level)
        return llvm.compile_module(self.text, self.level)


def test_long_runs_are_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two playouts, and in the middle of one."""
    monkeypatch.setattr(native_engine, "BEST", 2)
    monkeypatch.setattr(native_engine, "SHORT", 10)
    monkeypatch.setattr(native_engine, "MANY", (1000, 5000))
    levels: list[int] = []

    def noting_compile(text: str, level: int) -> bytes:
        levels.append(level)
        return llvm.compile_module(text, level)

    class Elsewhere:
        @staticmethod
        def begin(text: str, level: int) -> AtOnce:
            return AtOnce(text, level, levels)

    monkeypatch.setattr(native_engine, "Elsewhere", Elsewhere)
    monkeypatch.setattr(native_engine, "compile_module", noting_compile)
    w = Writer()
    site, die = w.site(0, 0, offers(w, 3, 5)), w.chance_site(0, 1)
    turn = [choose(site, c(0), 0), chance(die, c(6), 1), do(put(0, op(cell(0), "+", v(1))))]
    program = tiny(loop(op(cell(0), "<", c(30_000)), turn), w=w)
    engine, slow = NativeEngine(program), python.compile(program)
    assert levels == [0]
    for seed in range(2):
        states = []
        for each in (engine, slow):
            cells = each.start()
            each.run(cells)
            counts: list[int] = []
            each.at_random(cells, Generator.seeded(seed), Generator.seeded(9), None, counts)
            states.append((cells, counts))
        assert states[0] == states[1]
        assert len(states[0][1]) > 2 * AT_ONCE
    assert levels == [0, 1, 2]


@pytest.mark.slow
def test_better_code_is_made_by_another_process() -> None:
    text = "define i64 @rulewright_one(i64 %a) {\n %b = add i64 %a, 1\n ret i64 %b\n}\n"
    for level in (1, 2):
        made = llvm.Elsewhere.begin(text, level)
        assert made is not None
        assert made.finished_code(wait=True) == llvm.compile_module(text, level)
        assert made.finished_code() == llvm.compile_module(text, level)
    broken = llvm.Elsewhere.begin("define nothing", 2)
    assert broken is not None
    assert broken.finished_code(wait=True) == b""


@pytest.mark.slow
def test_the_best_code_can_be_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is compared with code of a new process: after LLVM has compiled for browsers, it writes different code."""
    monkeypatch.setattr(native_engine, "BEST", 2)
    monkeypatch.setattr(native_engine, "SHORT", 10)
    program = connect_four()
    engine, plain = NativeEngine(program), python.compile(program)
    before = engine._lanes.code
    engine.settle()
    again = llvm.Elsewhere.begin(native_engine.write_module(program)[1], 2)
    assert again is not None
    assert engine._lanes.code == again.finished_code(wait=True) != before
    cells, same = engine.start(), plain.start()
    for each, state in ((engine, cells), (plain, same)):
        each.run(state)
        each.at_random(state, Generator.seeded(1), Generator.seeded(2))
    assert cells == same


@pytest.mark.parametrize("executable", ["", "/bin/embedding", "/nowhere/python"])
def test_without_another_process_code_stays_as_it_is(
    executable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_engine, "BEST", 2)
    monkeypatch.setattr(native_engine, "SHORT", 10)
    monkeypatch.setattr(native_engine, "MANY", (10, 20))
    monkeypatch.setattr("sys.executable", executable)
    engine = NativeEngine(connect_four())
    code = engine._lanes.code
    for seed in range(3):
        cells = engine.start()
        engine.run(cells)
        engine.at_random(cells, Generator.seeded(seed), Generator.seeded(9))
        assert cells[ir.OVER]
    assert engine._lanes.code is code


def test_threads_that_ask_at_once_get_what_they_asked_for() -> None:
    """Python reads options that native code has stored: no other thread may store its options meanwhile."""
    engine = NativeEngine(connect_four(), level=0)
    first, other = engine.start(), engine.start()
    for cells in (first, other):
        engine.run(cells)
    while len(engine.options(other)) == len(engine.options(first)):
        engine.advance(other, engine.options(other)[0])
    wanted, real = engine.options(first), engine._options
    threads: list[Thread] = []

    def slow_options(cells: array[int]) -> int | list[int]:
        found = real(cells)
        if not threads:
            threads.append(Thread(target=engine.options, args=(other,)))
            threads[0].start()
            threads[0].join(0.2)  # which is as long as it waits for its turn
        return found

    engine._options = slow_options
    assert engine.options(first) == wanted
    threads[0].join()


@pytest.mark.parametrize("longest", [0, 1, 7, AT_ONCE, AT_ONCE + 1, 2 * AT_ONCE + 3])
def test_a_play_is_given_up_after_so_many_choices(longest: int) -> None:
    w = Writer()
    site, die = w.site(0, 0, offers(w, 3, 5)), w.chance_site(0, 1)
    turn = [choose(site, c(0), 0), chance(die, c(6), 1), do(put(0, op(cell(0), "+", c(1))))]
    program = tiny(loop(c(1), turn), w=w)
    engine, slow = native(program), Reference(program)
    states = []
    for each in (engine, slow):
        cells = each.start()
        each.run(cells)
        dice, bots, counts = Generator.seeded(1), Generator.seeded(2), list[int]()
        each.at_random(cells, dice, bots, longest, counts)
        states.append((cells, dice, bots, counts))
    assert states[0] == states[1]
    assert states[0][3] == [2] * longest
    assert engine.handed_over == 0


def ends(
    engine: Engine,
    start: array[int],
    generators: list[tuple[Generator, Generator]],
    longest: int | None = None,
) -> list[array[int]]:
    found = [start[:] for _ in generators]
    for cells, pair in zip(found, generators, strict=True):
        engine.at_random(cells, *pair, longest)
    return found


@pytest.mark.parametrize("longest", [None, 0, 5, AT_ONCE + 7])
def test_many_plays_one_after_another(longest: int | None) -> None:
    """Some of them end soon, some take long."""
    w = Writer()
    site, die = w.site(0, 0, offers(w, 3, 5)), w.chance_site(0, 1)
    turn = [choose(site, c(0), 0), chance(die, c(6000), 1), do(ir.SetLocal(2, op(v(2), "+", c(1))))]
    program = tiny(loop(op(v(1), "<", c(5999)), turn), w=w)
    engine, slow = native(program), python.compile(program)
    start = engine.start()
    engine.run(start)
    before = start[:]
    made = [[(Generator.seeded(n), Generator.seeded(n, 1)) for n in range(12)] for _ in range(2)]
    assert ends(engine, start, made[0], longest) == ends(slow, start, made[1], longest)
    assert made[0] == made[1]
    assert start == before
    assert engine.handed_over == 0


def test_one_of_many_plays_is_handed_over() -> None:
    w = Writer()
    site, die = w.site(0, 0, offers(w, 3, 5)), w.chance_site(0, 1)
    large = op(op(c(2**31 - 1), "*", cell(1)), "*", op(c(2**31 - 1), "*", cell(1)))
    seldom = ir.If(op(v(1), "==", c(0)), (put(0, op(op(large, "*", large), "%", c(7))),))
    program = tiny(choose(site, c(0), 0), chance(die, c(3), 1), do(put(1, c(9)), seldom), w=w)
    engine, slow = native(program), Reference(program)
    start = engine.start()
    engine.run(start)
    made = [[(Generator.seeded(n), Generator.seeded(n, 1)) for n in range(30)] for _ in range(2)]
    assert ends(engine, start, made[0]) == ends(slow, start, made[1])
    assert made[0] == made[1]
    assert 5 < engine.handed_over < 20


def test_playouts_are_those_of_one_seed_after_the_other() -> None:
    game = load_game("pig")
    ends = game.playouts(range(20), 3, engine="native")
    assert ends == game.playouts(range(20), 3, engine="native")
    for seed, end in enumerate(ends):
        other = game.playout(seed, 3)
        assert (end.cells, end.counter) == (other.cells, other.counter)
        assert end.winners == other.winners


def test_rollouts_begin_in_the_middle_of_a_game() -> None:
    games = [load_game("pig").start(3, 5, engine=name) for name in engine_names()]
    for _ in range(12):
        games = [state.take(state.option_ids[-1]) for state in games]
    before = [state.cells[:] for state in games]
    for longest in (None, 4):
        ends = [[end.cells for end in rollouts(state, range(6), longest)] for state in games]
        assert ends[0] == ends[1] == ends[2]
        assert len({end.tobytes() for end in ends[0]}) > 3
    assert [state.cells for state in games] == before


# ---- searches on large states --------------------------------------------------------------------

FAR = (0, 63, 64, 700, 1500, 2999)


def walks(random: Random) -> ir.Program:
    """Turns of four steps that change distant cells; each turn is tried first, and only some can be completed."""
    w = Writer()
    site = w.site(
        0, 0, w.function(0, 1, ir.ForRange(0, c(1), c(3), (ir.Offer(v(0)),))), search=True
    )
    weights = [random.randrange(1, 9) for _ in FAR]
    total = w.function(
        0,
        1,
        *(
            ir.SetLocal(0, op(v(0), "+", op(cell(far), "*", c(weight))))
            for far, weight in zip(FAR, weights, strict=True)
        ),
        ir.Return(v(0)),
    )
    steps: list[Item] = []
    for _ in range(4):
        one, other, third = random.sample(FAR, 3)
        change = ir.If(
            op(v(0), "==", c(1)),
            (put(one, op(cell(one), "+", c(1))),),
            (ir.If(op(v(0), "==", c(2)), (put(other, op(cell(third), "+", cell(one))),)),),
        )
        steps += [choose(site, c(0), 0), do(change, ir.SetLocal(0, c(0)))]
    left = op(op(ir.CallValue(total, ()), "+", cell(10)), "%", c(random.choice((7, 11, 13))))
    ends = do(ir.If(op(left, ">", c(2)), (ir.Fail(1, ()),)))
    lost = [do(put(20, op(cell(20), "+", c(1))), put(random.choice(FAR), c(random.randrange(5))))]
    turn = [attempt(c(0), [*steps, ends], lost), do(put(10, op(cell(10), "+", c(1))))]
    main = w.procedure(0, 1, [loop(op(cell(10), "<", c(6)), turn), end_game()])
    return w.program(main, cells=3000, lookahead=200)


def play_on(
    engine: Engine, slow: Engine, one: array[int], other: array[int], bots: Generator
) -> None:
    """Play to the end on two engines, which must always be in the same state."""
    while not one[ir.OVER]:
        assert one == other
        if one[ir.BOUND]:
            choice = bots.below(one[ir.BOUND])
        else:
            options = engine.options(one)
            assert options == slow.options(other)
            choice = options[bots.below(len(options))]
        engine.advance(one, choice)
        slow.advance(other, choice)
    assert one == other


@pytest.mark.parametrize("seed", range(12))
def test_large_states_are_copied_and_distinguished(seed: int) -> None:
    program = walks(Random(seed))
    engine: NativeEngine = native(program)
    slow = python.compile(program)
    for play in range(6):
        one, other = engine.start(), slow.start()
        assert engine.run(one) == slow.run(other)
        bots = Generator.seeded(play)
        if play % 2:  # in steps, or as a whole
            for _ in range(2):
                for each, cells in ((engine, one), (slow, other)):
                    each.at_random(cells, Generator.seeded(play), Generator.seeded(play, 1), 5)
                assert one == other
        play_on(engine, slow, one, other, bots)
    assert engine.handed_over == 0


def attempts(random: Random) -> ir.Program:
    """Turns that may be impossible: distant changes, choices, chance, and nested turns of this kind."""
    w = Writer()
    site = w.site(
        0, 0, w.function(0, 1, ir.ForRange(0, c(1), c(3), (ir.Offer(v(0)),))), search=True
    )
    die = w.chance_site(0, 1)

    def change(of: ir.Expr) -> Item:
        one, other = random.sample(FAR, 2)
        return do(put(one, op(op(op(cell(one), "+", cell(other)), "+", of), "%", c(50))))

    def fails() -> Item:
        left = op(op(cell(random.choice(FAR)), "+", v(0)), "%", c(random.choice((2, 3))))
        return do(ir.If(op(left, "==", c(1)), (ir.Fail(1, ()),)))

    def trial(depth: int) -> Item:
        steps = [change(c(1)), *([fails()] if random.randrange(2) else [])]
        if depth and random.randrange(2):
            steps.append(trial(depth - 1))
        for _ in range(random.randrange(3)):
            steps += [choose(site, c(0), 0), change(v(0)), fails()]
        if random.randrange(3) == 0:
            steps += [chance(die, c(3), 1), change(v(1))]
        if depth and random.randrange(3) == 0:
            steps.append(trial(depth - 1))
        return attempt(c(0), [*steps, do(ir.SetLocal(0, c(0)))], [change(c(3))])

    turn = [trial(2), change(c(2)), trial(2), do(put(10, op(cell(10), "+", c(1))))]
    main = w.procedure(0, 2, [loop(op(cell(10), "<", c(6)), turn), end_game()])
    return w.program(main, cells=3000, lookahead=2000)


@pytest.mark.parametrize("seed", range(1, 25))
def test_successful_attempts_are_not_repeated(seed: int) -> None:
    program = attempts(Random(seed))
    engine, slow = native(program), Reference(program)
    for play in range(4):
        one, other = engine.start(), slow.start()
        engine.run(one)
        slow.run(other)
        if play % 2:
            engine.at_random(one, Generator.seeded(play), bot_generator(play, 0), 8)
            at_random(slow, other, Generator.seeded(play), bot_generator(play, 0), 8, None)
        bots = Generator.seeded(play)
        play_on(engine, slow, one, other, bots)
    assert engine.handed_over == 0


# ---- what is given up ----------------------------------------------------------------------------


def test_a_failing_step_goes_to_another_engine() -> None:
    w = Writer()
    site = w.site(0, 0, offers(w, 1, 2))
    fails = [do(put(0, c(7)), ir.SetLocal(1, c(9)), ir.If(op(v(0), "==", c(2)), (ir.Fault(1),)))]
    program = tiny(choose(site, c(0), 0), *fails, choose(site, c(1), 2), w=w)
    engine = native(program)
    cells = engine.start()
    engine.run(cells)
    with pytest.raises(RuleFault) as raised:
        engine.advance(cells[:], 2)
    assert (raised.value.code, raised.value.message) == ("fault-1", "fault number 1")
    assert engine.handed_over == 1
    assert engine.advance(cells, 1) == [1, 2]
    assert cells[GLOBAL] == 7
    assert engine.handed_over == 1


def test_numbers_that_are_no_cells_on_the_way() -> None:
    """Native code works with 64 bits, and gives up larger numbers."""
    large = op(c(2**30), "*", c(2**30))
    beyond = op(op(large, "*", large), "%", c(1000))
    unknown = op(cell(0), "+", c(2**31 - 1))
    product = op(op(unknown, "*", unknown), "*", op(unknown, "*", unknown))
    one = 5 + 2**31 - 1
    several: list[tuple[ir.Expr, int, int]] = [
        (op(large, "%", c(1000)), 2**60 % 1000, 0),
        (beyond, 2**120 % 1000, 1),
        (op(op(unknown, "*", unknown), "//", c(2**40)), one**2 >> 40, 0),
        (op(product, "%", c(999)), one**4 % 999, 1),
        (op(op(c(0), "-", unknown), "//", c(7)), -one // 7, 0),
        (op(op(c(0), "-", unknown), "%", c(-7)), -one % -7, 0),
    ]
    for expression, expected, given_up in several:
        w = Writer()
        program = w.program(
            w.procedure(0, 0, [do(put(1, expression)), end_game()]), start=((GLOBAL, 5),)
        )
        engine = native(program)
        cells = engine.start()
        engine.run(cells)
        assert cells[GLOBAL + 1] == expected
        assert engine.handed_over == given_up


DIVISORS = (-(2**31), -7, -3, -1, 1, 2, 3, 8, 2**31 - 1)


def test_division_rounds_down() -> None:
    w = Writer()
    stores = []
    for place, divisor in enumerate(DIVISORS):
        by_cell = ir.Load(op(c(GLOBAL + 30), "+", c(place)))
        divisors: tuple[ir.Expr, ir.Expr] = c(divisor), by_cell
        for half, divided in enumerate(divisors):
            stores.append(
                put(100 + 4 * place + 2 * half, op(op(cell(0), "//", divided), "%", c(2**30)))
            )
            stores.append(put(101 + 4 * place + 2 * half, op(cell(0), "%", divided)))
    start = tuple((GLOBAL + 30 + n, divisor) for n, divisor in enumerate(DIVISORS))
    program = w.program(w.procedure(0, 0, [do(*stores), end_game()]), start=start, cells=200)
    engine = native(program)
    for number in (-(2**31), -9, -8, -1, 0, 1, 8, 9, 2**31 - 1):
        cells = engine.start()
        cells[GLOBAL] = number
        engine.run(cells)
        for place, divisor in enumerate(DIVISORS):
            expected = [number // divisor % 2**30, number % divisor] * 2
            first = GLOBAL + 100 + 4 * place
            assert cells[first : first + 4].tolist() == expected, (number, divisor)
    assert engine.handed_over == 0


def test_more_lists_than_there_is_room_for() -> None:
    """A list that grows in a loop needs more room than native code has."""
    w = Writer()
    doubled = w.function(
        0,
        3,
        ir.SetLocal(0, ir.MakeList((c(1),))),
        ir.ForRange(1, c(1), c(23), (ir.ForEach(2, v(0), (ir.Append(0, v(2)),)),)),
        ir.Return(ir.Length(v(0))),
    )
    program = tiny(do(put(0, ir.CallValue(doubled, ()))), w=w)
    engine = native(program)
    cells = engine.start()
    engine.run(cells)
    assert cells[GLOBAL] == 2**23
    assert engine.handed_over == 1


def test_lists_on_the_way_are_dropped() -> None:
    """Millions of short lists, one after the other, need no more room than one."""
    w = Writer()
    pair = w.function(1, 1, ir.Return(ir.MakeList((v(0), op(v(0), "+", c(1))))))
    inner = ir.SetLocal(1, op(op(v(1), "+", ir.At(ir.CallValue(pair, (v(0),)), c(1))), "%", c(97)))
    kept = (
        ir.SetLocal(3, ir.CallValue(pair, (v(2),))),
        ir.SetLocal(1, op(op(v(1), "+", ir.Length(v(3))), "%", c(97))),
    )
    turns = w.function(2, 4, *kept, ir.ForRange(0, c(1), c(1000), (inner,)), ir.Return(v(1)))
    more = ir.SetLocal(1, ir.CallValue(turns, (c(0), v(1))))
    whole = w.function(0, 2, ir.ForRange(0, c(1), c(5000), (more,)), ir.Return(v(1)))
    program = tiny(do(put(0, ir.CallValue(whole, ()))), w=w)
    engine = NativeEngine(program, level=1)
    cells = engine.start()
    engine.run(cells)
    total = 0
    for _ in range(5000):
        total = (total + 2 + sum(range(2, 1002))) % 97
    assert cells[GLOBAL] == total
    assert engine.handed_over == 0


def test_lists_of_lists_are_copied() -> None:
    w = Writer()
    grouped = w.function(
        0,
        4,
        ir.SetLocal(0, ir.MakeList(())),
        ir.ForRange(
            1,
            c(0),
            c(3),
            (
                ir.SetLocal(2, ir.MakeList(())),
                ir.ForRange(3, c(0), v(1), (ir.Append(2, op(v(1), "*", v(3))),)),
                ir.Append(0, v(2)),
                ir.Append(2, c(99)),
            ),
        ),
        ir.Return(v(0)),
    )
    summed = w.function(
        0,
        4,
        ir.SetLocal(0, ir.CallValue(grouped, ())),
        ir.Append(0, c((5, 6))),
        ir.Append(0, ir.MakeList(())),
        ir.ForEach(
            1,
            v(0),
            (
                ir.SetLocal(3, op(op(v(3), "*", c(10)), "+", ir.Length(v(1)))),
                ir.ForEach(2, v(1), (ir.SetLocal(3, op(v(3), "+", v(2))),)),
            ),
        ),
        ir.Return(op(v(3), "+", ir.At(ir.At(v(0), c(3)), c(2)))),
    )
    table = ir.At(ir.At(ir.Table(0, cell(1)), c(1)), c(2))
    program = attrs_program(w, [do(put(0, ir.CallValue(summed, ())), put(2, table))])
    for engine in (native(program), Reference(program)):
        cells = engine.start()
        cells[GLOBAL + 1] = 1
        engine.run(cells)
        expected = 0
        lists = [[0], [0, 1], [0, 2, 4], [0, 3, 6, 9], [5, 6], []]
        for each in lists:
            expected = expected * 10 + len(each) + sum(each)
        assert cells[GLOBAL] == expected + 6
        assert cells[GLOBAL + 2] == 9


def test_lists_of_lists_that_are_made_and_chosen() -> None:
    w = Writer()
    pair = w.function(1, 1, ir.Return(ir.MakeList((v(0), op(v(0), "+", c(1))))))
    made = ir.MakeList((ir.CallValue(pair, (cell(1),)), c((7, 8, 9)), c(())))
    chosen = w.function(
        1,
        3,
        ir.SetLocal(1, ir.Choice(cell(1), made, ir.MakeList((c((5,)),)))),
        ir.ForEach(2, v(1), (ir.SetLocal(0, op(v(0), "+", ir.Length(v(2)))),)),
        ir.Append(1, ir.At(v(1), c(0))),
        ir.SetLocal(2, ir.At(v(1), op(ir.Length(v(1)), "-", c(1)))),
        ir.Return(op(op(v(0), "*", c(10)), "+", ir.At(v(2), cell(2)))),
    )
    program = tiny(do(put(0, ir.CallValue(chosen, (c(3),)))), w=w)
    engine = native(program)
    for which, place, expected in ((0, 0, 45), (4, 0, 84), (4, 1, 85), (4, 2, 79)):
        cells = engine.start()
        cells[GLOBAL + 1 : GLOBAL + 3] = array("i", [which, place])
        engine.run(cells)
        assert cells[GLOBAL] == expected
    assert engine.handed_over == 0


def attrs_program(w: Writer, items: list[Item]) -> ir.Program:
    main = w.procedure(0, 6, [*items, end_game()])
    return w.program(main, tables=((((1,), (2, 3)), ((), (7, 8, 9))),))


def test_a_number_and_a_list_in_one_place_are_refused() -> None:
    w = Writer()
    odd = w.function(1, 1, ir.If(v(0), (ir.Return(c((1, 2))),)), ir.Return(c(3)))
    program = tiny(do(put(0, ir.Length(ir.CallValue(odd, (c(1),))))), w=w)
    with pytest.raises(
        NoNativeEngineError, match=r"Tiny cannot run in the native engine: .*plain 0"
    ):
        make_engine(program, "native")


def test_values_that_are_asked_for_often() -> None:
    w = Writer()
    w.procedure(0, 0, [end_game()])
    points = w.function(1, 1, ir.Return(op(op(v(0), "*", c(100)), "+", cell(0))))
    effect = w.function(1, 1, put(0, c(9)), ir.Return(v(0)))
    failing = w.function(1, 1, ir.If(v(0), (ir.Fault(2),)), ir.Return(c(4)))
    best = w.function(0, 2, ir.ForRange(0, c(0), cell(1), (ir.Append(1, v(0)),)), ir.Return(v(1)))
    w.plain[best] = ir.Plain("best", 0, 2, (ir.SetLocal(1, c(())), *w.plain[best].body))
    items = tuple(ir.ScoreItem("points", n) for n in (points, effect, failing))
    program = attrs.evolve(w.program(), score=items, winners=best)
    engine, slow = native(program), Reference(program)
    cells = engine.start()
    cells[GLOBAL : GLOBAL + 2] = array("i", [7, 3])
    assert engine.value(cells, points, (-3,)) == -293
    assert engine.value(cells, best) == (0, 1, 2, 3)
    cells[GLOBAL + 1] = -1
    assert engine.value(cells, best) == slow.value(cells, best) == ()
    assert engine.value(cells, failing, (0,)) == 4
    assert engine.value(cells, points, (2**40,)) == slow.value(cells, points, (2**40,))
    with pytest.raises(RuleFault, match="fault number 2"):
        engine.value(cells, failing, (1,))
    assert engine.value(cells, effect, (1,)) == 1
    assert cells[GLOBAL] == 9
    for wrong in ((), (1, 2)):
        with pytest.raises(InternalError):
            engine.value(cells, points, wrong)


def test_cells_of_another_game_are_refused() -> None:
    engine = native(connect_four())
    for size in (0, 40, 10_000):
        cells = array("i", [-1]) * size + array("i", bytes(40))
        with pytest.raises(InternalError):
            engine.advance(cells, 1)


def test_searches_within_searches_give_up_in_time() -> None:
    """A Try in each of very many calls, and an endless search."""
    w = Writer()
    site = w.site(0, 0, offers(w, 1, 2), search=True)
    turn: list[Item] = [
        choose(site, c(0), 0),
        do(put(0, op(op(cell(0), "+", c(1)), "%", c(30000)))),
    ]
    main = w.procedure(0, 1, [attempt(c(0), [loop(c(1), turn)]), end_game()])
    program = w.program(main, lookahead=300)
    engine = native(program)
    with pytest.raises(RuleFault) as raised:
        engine.run(engine.start())
    assert raised.value.code == "search-too-long"


def test_deep_calls_are_left_to_another_engine() -> None:
    w = Writer()
    deeper = ir.CallValue(0, (op(v(0), "-", c(1)),))
    w.function(
        1, 1, ir.If(op(v(0), "<=", c(0)), (ir.Return(c(0)),)), ir.Return(op(c(1), "+", deeper))
    )
    for depth, given_up in ((CALLS - 10, 0), (CALLS + 10, 1)):
        program = tiny(do(put(0, ir.CallValue(0, (c(depth),)))), w=w)
        engine = native(program)
        cells = engine.start()
        engine.run(cells)
        assert cells[GLOBAL] == depth
        assert engine.handed_over == given_up
        w.suspending.clear()
        w.blocks[1:] = []


def test_calls_that_need_more_room_than_the_stack() -> None:
    w = Writer()
    w.procedure(0, 3, [call(0)])
    engine = native(tiny(call(0), w=w))
    with pytest.raises(RuleFault) as raised:
        engine.run(engine.start())
    assert raised.value.code == "too-deep"


# ---- where llvmlite is missing -------------------------------------------------------------------


def test_without_llvmlite_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    with pytest.raises(NoNativeEngineError, match=r"needs llvmlite: `pip install '\.\[native\]'`"):
        make_engine(connect_four(), "native")


def test_with_an_old_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite.binding", ModuleType("llvmlite.binding"))
    with pytest.raises(NoNativeEngineError, match="newer llvmlite"):
        make_engine(connect_four(), "native")


def test_marks_are_counted_by_another_engine() -> None:
    program = connect_four()
    counts = [0] * len(program.marks)
    engine = make_engine(program, "native", counts)
    engine.run(engine.start())
    assert not isinstance(engine, NativeEngine)
    assert engine_names() == ("reference", "python", "native")
