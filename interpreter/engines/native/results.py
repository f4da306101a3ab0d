"""Writes LLVM IR that runs many random playouts and stores only the results, for `Engine.results_at_random`.

Playouts that native code cannot finish are left to another engine, one by one.
"""

from __future__ import annotations

from typing import Final

from rulewright.dsl.ir import FP, HALT
from rulewright.interpreter.engines.chance import STEP
from rulewright.interpreter.engines.kernels.driven import (
    BOT_COUNTER,
    BOT_KEY,
    CHANCE_COUNTER,
    CHANCE_KEY,
    COUNTS,
    DRIVEN,
    LEFT,
    MADE,
    ROOM,
)
from rulewright.interpreter.engines.native.llvm_text import Function
from rulewright.interpreter.engines.native.module import FAILED, GIVEN_UP, Module
from rulewright.interpreter.engines.native.playouts import ENDED, INTERRUPTED, mix
from rulewright.interpreter.engines.native.representation import LIST, NUMBER
from rulewright.interpreter.engines.native.runtime import failing, has_failed
from rulewright.interpreter.engines.playouts import BOTS
from rulewright.interpreter.engines.results import NOT_OVER

(
    SEEDS,
    COUNT,
    NEXT,
    OPEN,
    LONGEST,
    BUDGET,
    OVERS,
    LENGTHS,
    WON,
    TOTALS,
    POINTS,
    ENDS,
    OPTIONS,
    MOST_OPTIONS,
    STACKS,
    MET,
    DRIVING,
) = range(17)
"""The indices of the parameters of playouts.

The first parameters are the address and the number of the seeds, the next playout, and whether that
playout was begun. They are followed by the maximum number of decisions of a playout and of a call.
Then come the addresses of the results (one array after another) and of the counts of options with
their maximum. The ends that were reached and their number follow. The numbers that drive one
playout are last.
"""
DRIVEN_BY: Final = DRIVING + DRIVEN

LEFT_OVER: Final = 2
"""The value in `OVERS` for a match that another engine must play."""
STACK: Final = 32
"""The maximum size of the description of an end, in cells. The description is the number of its
blocks, followed by the blocks."""
ENDS_MET: Final = 64
"""The maximum number of different ends that are stored."""
_VAIN: Final = 1000
"""The number of decisions that are counted for a playout whose result is discarded."""


def can_tell(module: Module) -> bool:
    """Return whether native code can compute the points and the winners of a program."""
    program, kinds = module.program, module.kinds
    asked = {*module.asked}
    if program.winners is not None and (
        program.winners not in asked or kinds.result(program.winners) != LIST
    ):
        return False
    items = [item.procedure for item in program.score]
    return all(
        item in asked and kinds.result(item) == NUMBER and kinds.slot(item, 0) == NUMBER
        for item in items
    )


def results(module: Module) -> list[str]:
    """Write the functions."""
    return [_many(), _result(), _outcome(module), _end_met()]


def totals(module: Module) -> str:
    """Write the function that writes the total points of each seat to `%totals`."""
    f = Function("i64 @rulewright_totals(ptr %S, ptr %totals)")
    if can_tell(module):
        f.do("call fastcc void @begin()")
        points_to(f, module, "%S", "%totals")
        f.leave("i64 0")
    else:
        f.leave(f"i64 {FAILED}")
    return f.text()


def points_to(f: Function, module: Module, state: str, totals: str) -> None:
    """Write code that stores the total points of each seat at an address. The function fails if the
    points cannot be computed."""
    for seat in range(module.program.seats):
        f.store("i64", _total(f, module, seat, state), f.at(totals, seat, "i64"))


def _total(f: Function, module: Module, seat: int, state: str, points: str = "") -> str:
    """Write code that computes the total points of a seat. Return the name of the result.

    `points` is the address for the points of each item, unless it is empty or null.
    """
    total = "0"
    for number, item in enumerate(module.program.score):
        found = f.value(f"call fastcc i64 @p{item.procedure}(ptr {state}, i32 {seat})")
        with f.when(has_failed(f, found)):
            f.leave(f"i64 {FAILED}")
        if points:
            with f.when(f.value("icmp ne ptr %points, null")):
                f.store("i64", found, f.at(points, number, "i64"))
        total = f.value(f"add i64 {total}, {found}")
    return total


def _many() -> str:
    """Write a function that continues playouts. It returns 1 if all playouts are done, or 0 if the
    limit of decisions is reached."""
    f = Function("i64 @rulewright_results(ptr %S, ptr %C)")
    at = [f.at("%C", place, "i64") for place in range(DRIVING)]
    driven = f.at("%C", DRIVING, "i64")
    drive = [f.at(driven, place, "i64") for place in range(DRIVEN)]
    count, budget = (f.load("i64", at[place]) for place in (COUNT, BUDGET))
    seeds, overs, lengths = (f.load("ptr", at[place]) for place in (SEEDS, OVERS, LENGTHS))
    made = f.variable("i64", "0")
    f.store("i64", budget, drive[ROOM])

    def finish(play: str) -> None:
        f.store("i64", "0", at[OPEN])
        f.store("i64", f.value(f"add i64 {play}, 1"), at[NEXT])

    with f.loop() as (head, _):
        play = f.load("i64", at[NEXT])
        with f.when(f.value(f"icmp uge i64 {play}, {count}")):
            f.leave("i64 1")
        with f.when(f.value(f"icmp sge i64 {f.load('i64', made)}, {budget}")):
            f.leave("i64 0")
        f.do("call fastcc void @begin()")
        length = f.at(lengths, play)
        with f.when(f.value(f"icmp eq i64 {f.load('i64', at[OPEN])}, 0")):
            f.value("call fastcc ptr @enter(ptr %S)")
            seed = mix(f, f.load("i64", f.at(seeds, play, "i64")))
            bots = f.value(f"add i64 {seed}, {BOTS * STEP - 2**64}")
            f.store("i64", mix(f, seed), drive[CHANCE_KEY])
            f.store("i64", mix(f, bots), drive[BOT_KEY])
            for place in (CHANCE_COUNTER, BOT_COUNTER):
                f.store("i64", "0", drive[place])
            f.store("i64", f.load("i64", at[LONGEST]), drive[LEFT])
            f.store("i32", "0", length)
        work = f.load("ptr", "@POOL")
        found = f.value(f"call fastcc i64 @play(ptr {work}, ptr {driven})")
        vain = f.label()
        ended, given_up = f.label(), f.value(f"icmp eq i64 {found}, {FAILED}")
        f.branch(given_up, vain, ended)
        f.start(ended)
        now = f.load("i64", drive[MADE])
        f.store("i64", f.value(f"add i64 {f.load('i64', made)}, {now}"), made)
        longer = f.value(f"add i32 {f.load('i32', length)}, {f.value(f'trunc i64 {now} to i32')}")
        f.store("i32", longer, length)
        with f.when(f.value(f"icmp eq i64 {found}, {INTERRUPTED}")):
            f.store("i64", "1", at[OPEN])
            f.leave("i64 0")
        found_result = f.value(
            f"call fastcc i64 @result(ptr {work}, ptr %C, i64 {play}, i64 {found})"
        )
        finished = f.label()
        f.branch(has_failed(f, found_result), vain, finished)
        f.start(finished)
        finish(play)
        f.jump(head)
        f.start(vain)
        f.store("i8", str(LEFT_OVER), f.at(overs, play, "i8"))
        f.store("i64", f.value(f"add i64 {f.load('i64', made)}, {_VAIN}"), made)
        finish(play)
        f.jump(head)
    f.leave("i64 1")
    return f.text()


def _result() -> str:
    """Write a function that stores the result of a playout."""
    f = Function("internal fastcc i64 @result(ptr %S, ptr %C, i64 %play, i64 %why) nounwind")

    def place(number: int, kind: str = "ptr") -> str:
        return f.load(kind, f.at("%C", number, "i64"))

    over = f.value(f"icmp eq i64 %why, {ENDED}")
    f.store("i8", f.value(f"zext i1 {over} to i8"), f.at(place(OVERS), "%play", "i8"))
    end = f.at(place(ENDS), "%play")
    f.store("i32", str(NOT_OVER), end)
    with f.when(over):
        arrays = ", ".join(f"ptr {place(number)}" for number in (WON, TOTALS, POINTS))
        found_result = f.value(f"call fastcc i64 @told(ptr %S, {arrays}, i64 %play)")
        with f.when(has_failed(f, found_result)):
            f.leave(f"i64 {FAILED}")
        met = f.value("call fastcc i64 @end_met(ptr %S, ptr %C)")
        with f.when(has_failed(f, met)):
            f.leave(f"i64 {FAILED}")
        f.store("i32", f.value(f"trunc i64 {met} to i32"), end)
        counts, options = f.load("ptr", f.at("%C", DRIVING + COUNTS, "i64")), place(OPTIONS)
        most = f.variable("i64")
        f.store("i64", place(MOST_OPTIONS, "i64"), most)
        with f.count(f.load("i64", f.at("%C", DRIVING + MADE, "i64"))) as decision:
            count = f.cell(counts, decision)
            times = f.at(options, count, "i64")
            f.store("i64", f.value(f"add i64 {f.load('i64', times)}, 1"), times)
            before = f.load("i64", most)
            f.store("i64", f.value(f"call i64 @llvm.smax.i64(i64 {count}, i64 {before})"), most)
        f.store("i64", f.load("i64", most), f.at("%C", MOST_OPTIONS, "i64"))
    f.leave("i64 0")
    return f.text()


def _outcome(module: Module) -> str:
    """Write a function that stores the winners, totals and (unless it is null) points of a finished playout."""
    program = module.program
    seats = program.seats
    arrays = "ptr %won, ptr %totals, ptr %points"
    f = Function(f"internal fastcc i64 @told(ptr %S, {arrays}, i64 %play) nounwind")
    f.do("call fastcc void @begin()")
    first = f.value(f"mul i64 %play, {seats}")
    for seat in range(seats):
        here = f.value(f"add i64 {first}, {seat}")
        row = f.value(f"mul i64 {here}, {len(program.score)}")
        total = _total(f, module, seat, "%S", f.at("%points", row, "i64"))
        f.store("i64", total, f.at("%totals", here, "i64"))
        f.store("i8", "0", f.at("%won", here, "i8"))
    if program.winners is not None:
        gives = module.gives(program.winners)
        f.store("ptr", f.at("%totals", first, "i64"), "@TOTALS")
        winners = f.value(f"call fastcc {gives} @p{program.winners}(ptr %S)")
        listed, many = (f.value(f"extractvalue {gives} {winners}, {n}") for n in (0, 1))
        f.store("ptr", "null", "@TOTALS")
        with f.when(f.value(f"icmp eq ptr {listed}, null")):
            f.leave(f"i64 {FAILED}")
        with f.count(many) as one:
            winner = f.cell(listed, one)
            with f.when(f.value(f"icmp uge i64 {winner}, {seats}")):
                failing(f, GIVEN_UP)
            f.store("i8", "1", f.at("%won", f.value(f"add i64 {first}, {winner}"), "i8"))
    f.leave("i64 0")
    return f.text()


def _end_met() -> str:
    """Write a function that returns the index of the end that a playout reached.

    An end is identified by the blocks to which the running procedures would return, innermost
    first.
    """
    f = Function("internal fastcc i64 @end_met(ptr %S, ptr %C) nounwind")
    stacks = f.load("ptr", f.at("%C", STACKS, "i64"))
    met = f.load("i64", f.at("%C", MET, "i64"))
    with f.when(f.value(f"icmp uge i64 {met}, {ENDS_MET}")):
        failing(f, GIVEN_UP)
    mine = f.at(stacks, f.value(f"mul i64 {met}, {STACK}"))
    frame, length = f.variable("i64"), f.variable("i64", "0")
    f.store("i64", f.cell("%S", FP), frame)
    with f.loop() as (_, after):
        turn = f.label()
        here = f.load("i64", frame)
        back = f.cell("%S", here)
        f.branch(f.value(f"icmp eq i64 {back}, {HALT}"), after, turn)
        f.start(turn)
        longer = f.value(f"add i64 {f.load('i64', length)}, 1")
        with f.when(f.value(f"icmp sge i64 {longer}, {STACK}")):
            failing(f, GIVEN_UP)
        f.store("i64", longer, length)
        f.set_cell(mine, longer, f.value(f"trunc i64 {back} to i32"))
        f.store("i64", f.cell("%S", f.value(f"add i64 {here}, 1")), frame)
    blocks = f.load("i64", length)
    f.set_cell(mine, 0, f.value(f"trunc i64 {blocks} to i32"))
    cells = f.value(f"add i64 {blocks}, 1")
    with f.count(met) as known:
        other = f.at(stacks, f.value(f"mul i64 {known}, {STACK}"))
        differs = f.variable("i64")
        f.store("i64", "0", differs)
        with f.count(cells) as cell:
            change = f.value(f"xor i64 {f.cell(mine, cell)}, {f.cell(other, cell)}")
            f.store("i64", f.value(f"or i64 {f.load('i64', differs)}, {change}"), differs)
        with f.when(f.value(f"icmp eq i64 {f.load('i64', differs)}, 0")):
            f.leave(f"i64 {known}")
    f.store("i64", f.value(f"add i64 {met}, 1"), f.at("%C", MET, "i64"))
    f.leave(f"i64 {met}")
    return f.text()
