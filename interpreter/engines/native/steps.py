"""Writes LLVM IR that makes one step in each of many matches, for `Engine.step_all`.

Steps that native code cannot make are left to another engine, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE
from rulewright.interpreter.engines.batch import action_starts, blocks_of, marks_of
from rulewright.interpreter.engines.engine import STEPS
from rulewright.interpreter.engines.native.llvm_text import Function
from rulewright.interpreter.engines.native.module import (
    CHUNK,
    CHUNK_SHIFT,
    FAILED,
    GIVEN_UP,
    MARK,
    Module,
)
from rulewright.interpreter.engines.native.playouts import mix
from rulewright.interpreter.engines.native.runtime import copy, failing, has_failed, whole

(
    FIRST,
    LAST,
    COUNT,
    START,
    CELLS,
    SEEDS,
    KEYS,
    COUNTERS,
    ACTIONS,
    MASKS,
    PLAYERS,
    OVERS,
    WON,
    TOTALS,
    LENGTHS,
    LEFT,
    REWARDS,
    WORTH,
    APART,
    MARKED,
    RESTART,
    LISTED,
    ROOM,
    DIFFERING,
) = range(24)
"""The indices of the parameters of a step of many matches.

The first parameters are the first match, the end of the range, and the number of all matches. Then
come the first state of matches and the members of `Slots`, and whether all matches begin again. The
last parameters are the lists of legal actions, their capacity, and the blocks that differ from the
first state. If there are no masks or lists, their address is 0.
"""
DRIVEN_BY: Final = 24


LINE: Final = 64
"""The size of a line of the CPU cache, in bytes."""
_AHEAD: Final = 2
"""How many matches in advance the parts of a match's mask are prefetched."""


def steps(module: Module) -> list[str]:
    """Write the functions."""
    functions = [_first_refused(module), _steps(module), _step(module), _pay(module)]
    functions += [_enter_known(module), _keep(module)]
    functions.append("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)\n")
    if module.layout.chunks:
        functions.append(_fetch(module))
    if marks_of(action_starts(module.program)[-1]):
        functions += [_near(module), _put(module)]
    return functions


def _of(f: Function, number: int, kind: str = "ptr") -> str:
    return f.load(kind, f.at("%V", number, "i64"))


def _first_refused(module: Module) -> str:
    """Write a function that returns the first match in a range that cannot make the requested step.
    If all matches can, it returns the end of the range."""
    actions = action_starts(module.program)[-1]
    f = Function("i64 @rulewright_first_refused(ptr %V)")
    first, last = _of(f, FIRST, "i64"), _of(f, LAST, "i64")
    overs, asked, masks = (_of(f, number) for number in (OVERS, ACTIONS, MASKS))
    with f.count(f.value(f"sub i64 {last}, {first}")) as place:
        play = f.value(f"add i64 {first}, {place}")
        after = f.label()
        going = f.label()
        over = f.load("i8", f.at(overs, play, "i8"))
        f.branch(f.value(f"icmp eq i8 {over}, 0"), going, after)
        f.start(going)
        action = f.cell(asked, play)
        with f.when(f.value(f"icmp uge i64 {action}, {actions}")):
            f.leave(f"i64 {play}")
        masked, unmasked = f.label(), f.label()
        f.branch(f.value(f"icmp ne ptr {masks}, null"), masked, unmasked)
        f.start(unmasked)
        found = f.variable("i64")
        f.store("i64", "0", found)
        row = _list_of(f, play)
        with f.count(f.cell(row, 0)) as here:
            number = f.cell(row, f.value(f"add i64 {here}, 1"))
            same = f.value(f"zext i1 {f.value(f'icmp eq i64 {number}, {action}')} to i64")
            f.store("i64", f.value(f"or i64 {f.load('i64', found)}, {same}"), found)
        with f.when(f.value(f"icmp eq i64 {f.load('i64', found)}, 0")):
            f.leave(f"i64 {play}")
        f.jump(after)
        f.start(masked)
        row = f.value(f"mul i64 {play}, {actions}")
        mask = f.load("i8", f.at(masks, f.value(f"add i64 {row}, {action}"), "i8"))
        with f.when(f.value(f"icmp eq i8 {mask}, 0")):
            f.leave(f"i64 {play}")
        f.start(after)
    f.leave(f"i64 {last}")
    return f.text()


def _list_of(f: Function, play: str) -> str:
    """Write code that computes the address of a match's list. Return the name of the address."""
    row = f.value(f"add i64 {_of(f, ROOM, 'i64')}, 1")
    return f.at(_of(f, LISTED), f.value(f"mul i64 {play}, {row}"))


def _steps(module: Module) -> str:
    """Write a function that makes a step in each match of a range.

    Masks of many actions are not in the CPU cache, so the parts to be written are prefetched.
    """
    f = Function("i64 @rulewright_steps(ptr %V)")
    first, last = _of(f, FIRST, "i64"), _of(f, LAST, "i64")
    marks = marks_of(action_starts(module.program)[-1])
    overs, left, all_new = _of(f, OVERS), _of(f, LEFT), _of(f, RESTART, "i64")
    masked = f.value(f"icmp ne ptr {_of(f, MASKS)}, null")
    with f.count(f.value(f"sub i64 {last}, {first}")) as place:
        play = f.value(f"add i64 {first}, {place}")
        f.store("i8", "0", f.at(left, play, "i8"))
        over = f.value(f"zext i8 {f.load('i8', f.at(overs, play, 'i8'))} to i64")
        new = f.value(f"or i64 {over}, {all_new}")
        more = f.value(f"icmp ugt i64 {over}, {all_new}")
        numbers = [new, f.value(f"zext i1 {more} to i64")]
        if module.layout.chunks:
            following = f.value(f"add i64 {play}, 1")
            with f.when(f.value(f"icmp slt i64 {following}, {last}")):
                f.do(f"call fastcc void @fetch(ptr %V, i64 {following})")
        found = f.value(
            f"call fastcc i64 @step(ptr %V, i64 {play}, i64 {numbers[0]}, i64 {numbers[1]})"
        )
        with f.when(has_failed(f, found)):
            f.store("i8", "1", f.at(left, play, "i8"))
        if marks:
            with f.when(f.value(f"and i1 {masked}, {f.value(f'icmp sgt i64 {place}, 0')}")):
                f.do(f"call fastcc void @put(ptr %V, i64 {f.value(f'sub i64 {play}, 1')})")
            ahead = f.value(f"add i64 {play}, {_AHEAD}")
            with f.when(f.value(f"and i1 {masked}, {f.value(f'icmp slt i64 {ahead}, {last}')}")):
                f.do(f"call fastcc void @near(ptr %V, i64 {ahead})")
    if marks:
        with f.when(masked):
            f.do(f"call fastcc void @put(ptr %V, i64 {f.value(f'sub i64 {last}, 1')})")
    f.leave("i64 0")
    return f.text()


def _step(module: Module) -> str:
    """Write a function that makes a step in one match, or begins a new match. If the step fails, nothing changes."""
    program = module.program
    starts = action_starts(program)
    seats, actions = program.seats, starts[-1]
    f = Function("internal fastcc i64 @step(ptr %V, i64 %play, i64 %restart, i64 %more) nounwind")
    f.do("call fastcc void @begin()")
    state = f.at(_of(f, CELLS), f.value(f"mul i64 %play, {program.size}"))
    is_new = f.value("icmp ne i64 %restart, 0")
    origin = f.value(f"select i1 {is_new}, ptr {_of(f, START)}, ptr {state}")
    differing = f.at(_of(f, DIFFERING), f.value(f"mul i64 %play, {blocks_of(program)}"), "i8")
    same = "@SAME" if module.layout.chunks else "null"
    marks_now = f.value(f"select i1 {is_new}, ptr {same}, ptr {differing}")
    work = f.value(f"call fastcc ptr @enter_known(ptr {origin}, ptr {marks_now})")
    places = {n: f.at(_of(f, n), "%play", "i64") for n in (SEEDS, KEYS, COUNTERS)}
    seed, key, counter, chances = (f.variable("i64", "0") for _ in range(4))
    f.store("i64", f.load("i64", places[SEEDS]), seed)
    f.store("i64", f.load("i64", places[KEYS]), key)
    f.store("i64", f.load("i64", places[COUNTERS]), counter)
    fresh, going, asking = f.label(), f.label(), f.label()
    table = module.numbers(starts)

    def go() -> None:
        gone = f.value(f"call fastcc i64 @go(ptr {work}, i64 -1)")
        with f.when(has_failed(f, gone)):
            f.leave(f"i64 {FAILED}")

    f.branch(is_new, fresh, going)
    f.start(fresh)
    with f.when(f.value("icmp ne i64 %more, 0")):
        f.store("i64", f.value(f"add i64 {f.load('i64', seed)}, {_of(f, COUNT, 'i64')}"), seed)
    f.store("i64", mix(f, mix(f, f.load("i64", seed))), key)
    f.store("i64", "0", counter)
    f.jump(asking)
    f.start(going)
    action = f.cell(_of(f, ACTIONS), "%play")
    start = f.cell(table, f.cell(work, SITE))
    option = f.value(f"trunc i64 {f.value(f'sub i64 {action}, {start}')} to i32")
    f.do(f"call fastcc void @answer(ptr {work}, i32 {option})")
    go()
    f.start(asking)
    with f.loop() as (_, after):
        bound, turn = f.cell(work, BOUND), f.label()
        f.branch(f.value(f"icmp eq i64 {bound}, 0"), after, turn)
        f.start(turn)
        f.store("i64", f.value(f"add i64 {f.load('i64', chances)}, 1"), chances)
        with f.when(f.value(f"icmp sgt i64 {f.load('i64', chances)}, {STEPS}")):
            failing(f, GIVEN_UP)
        drawn = f.value(
            f"call fastcc i64 @draw(i64 {f.load('i64', key)}, ptr {counter}, i64 {bound})"
        )
        f.do(f"call fastcc void @answer(ptr {work}, i32 {f.value(f'trunc i64 {drawn} to i32')})")
        go()
    is_over = f.value(f"icmp ne i64 {f.cell(work, OVER)}, 0")
    mask = f.at(_of(f, MASKS), f.value(f"mul i64 %play, {actions}"), "i8")
    marks = marks_of(actions)
    marked = f.at(_of(f, MARKED), f.value(f"mul i64 %play, {marks}"))
    masked = f.value(f"icmp ne ptr {_of(f, MASKS)}, null")
    is_listed = f.value(f"icmp ne ptr {_of(f, LISTED)}, null")
    with f.when(masked):
        _clear(f, mask, actions, marked if marks else "")
    ended, deciding, done = f.label(), f.label(), f.label()
    f.branch(is_over, ended, deciding)
    f.start(ended)
    found_result = f.value(
        f"call fastcc i64 @told(ptr {work}, ptr {_of(f, WON)}, ptr {_of(f, TOTALS)}, ptr null, "
        "i64 %play)"
    )
    with f.when(has_failed(f, found_result)):
        f.leave(f"i64 {FAILED}")
    f.do("call fastcc void @pay(ptr %V, i64 %play)")
    if marks:
        with f.when(masked):
            f.set_cell(marked, 0, "0")
    with f.when(is_listed):
        f.set_cell(_list_of(f, "%play"), 0, "0")
    f.jump(done)
    f.start(deciding)
    is_open = f.value(f"call fastcc i1 @open(ptr {work})")
    with f.when(f.value(f"xor i1 {is_open}, true")):
        failing(f, GIVEN_UP)
    known = f.load("i64", "@KNOWN")
    count = f.value(f"call fastcc i64 @options(ptr {work}, i64 {known})")
    with f.when(has_failed(f, count)):
        f.leave(f"i64 {FAILED}")
    offers = f.load("ptr", "@OFFERS")
    here = f.cell(table, f.cell(work, SITE))
    width = f.value(f"sub i64 {f.cell(f.at(table, 1), f.cell(work, SITE))}, {here}")
    with f.when(is_listed):
        with f.when(f.value(f"icmp sgt i64 {count}, {_of(f, ROOM, 'i64')}")):
            failing(f, GIVEN_UP)
        listed = _list_of(f, "%play")
        f.set_cell(listed, 0, f.value(f"trunc i64 {count} to i32"))
        with f.count(count) as offer:
            option = f.cell(offers, offer)
            with f.when(f.value(f"icmp uge i64 {option}, {width}")):
                failing(f, GIVEN_UP)
            number = f.value(f"trunc i64 {f.value(f'add i64 {here}, {option}')} to i32")
            f.set_cell(listed, f.value(f"add i64 {offer}, 1"), number)
    with f.when(masked):
        _mask(f, mask, marked if marks else "", marks, count, (offers, here, width))
    with f.when(is_new):
        row = f.value(f"mul i64 %play, {seats}")
        for kept_in, bytes_each in ((WON, 1), (TOTALS, 8), (REWARDS, 8)):
            mine = f.at(_of(f, kept_in), row, f"i{8 * bytes_each}")
            size = bytes_each * seats
            f.do(f"call void @llvm.memset.p0.i64(ptr {mine}, i8 0, i64 {size}, i1 false)")
    f.start(done)
    f.store("i8", f.value(f"zext i1 {is_over} to i8"), f.at(_of(f, OVERS), "%play", "i8"))
    f.set_cell(_of(f, PLAYERS), "%play", f.load("i32", f.at(work, PLAYER)))
    f.store("i64", f.load("i64", seed), places[SEEDS])
    f.store("i64", f.load("i64", key), places[KEYS])
    f.store("i64", f.load("i64", counter), places[COUNTERS])
    length = f.at(_of(f, LENGTHS), "%play")
    longer = f.value(f"add i32 {f.load('i32', length)}, 1")
    f.store("i32", f.value(f"select i1 {is_new}, i32 0, i32 {longer}"), length)
    whole, changed = f.label(), f.label()
    f.branch(is_new, whole, changed)
    f.start(whole)
    f.do(f"call fastcc void @keep(ptr {differing}, i64 0)")
    copy(f, state, work, 4 * program.size)
    f.leave("i64 0")
    f.start(changed)
    f.do(f"call fastcc void @keep(ptr {differing}, i64 -1)")
    f.do(f"call fastcc void @leave(ptr {state})")
    f.leave("i64 0")
    return f.text()


def _enter_known(module: Module) -> str:
    """Write a function like `@enter` for a state whose differences from the start of matches are known.

    The pool contains the state of another match. A block that is marked for neither state is equal
    to the start, so it is neither compared nor copied.
    """
    layout = module.layout
    f = Function("internal fastcc ptr @enter_known(ptr %from, ptr %differing) nounwind")
    to = f.load("ptr", "@POOL")
    if not layout.chunks:
        f.leave(f"ptr {f.value('call fastcc ptr @enter(ptr %from)')}")
        return f.text()
    size = f"[{layout.words} x i64]"
    memory = f"@BLOCKS = internal global {size} zeroinitializer\n"
    memory += f"@SAME = internal constant {size} zeroinitializer\n"
    held = f.value(f"icmp ne i64 {f.load('i64', '@HELD')}, 0")
    f.store("i64", "0", "@HELD")
    known, unknown = f.label(), f.label()
    f.branch(held, known, unknown)
    f.start(unknown)
    copy(f, "@BLOCKS", "%differing", 8 * layout.words)
    f.leave(f"ptr {f.value('call fastcc ptr @enter(ptr %from)')}")
    f.start(known)
    with whole(f, layout, to, "%from"):
        copy(f, to, "%from", 4 * CHUNK)
        marks = f.at(to, layout.marks, "i8")
        following = f.at(marks, layout.stride, "i8")
        with f.count(str(layout.words)) as word:
            f.do(f"store i64 0, ptr {f.at(marks, word, 'i64')}{MARK}")
            now = f.load("i64", f.at("%differing", word, "i64"))
            blocks = f.at("@BLOCKS", word, "i64")
            either = f.value(f"or i64 {f.load('i64', blocks)}, {now}")
            f.store("i64", now, blocks)
            with f.when(f.value(f"icmp ne i64 {either}, 0")):
                address = f.at(following, word, "i64")
                found = f.value(f"load i64, ptr {address}{MARK}")
                f.do(f"store i64 {f.value(f'or i64 {found}, {either}')}, ptr {address}{MARK}")
                for byte in range(8):
                    chunk = f.value(f"or i64 {f.value(f'shl i64 {word}, 3')}, {byte}")
                    marked = f.value(f"and i64 {either}, {255 << 8 * byte}")
                    differs = f.value(f"icmp ne i64 {marked}, 0")
                    is_whole = f.value(f"icmp slt i64 {chunk}, {layout.chunks}")
                    with f.when(f.value(f"and i1 {differs}, {is_whole}")):
                        place = f.value(f"shl i64 {chunk}, {CHUNK_SHIFT}")
                        copy(f, f.at(to, place, "i8"), f.at("%from", place, "i8"), 4 * CHUNK)
    f.leave(f"ptr {to}")
    return memory + f.text()


def _keep(module: Module) -> str:
    """Write a function that records which blocks a step has changed.

    `%before` contains the marks of earlier steps, or is 0.
    """
    layout = module.layout
    f = Function("internal fastcc void @keep(ptr %differing, i64 %before) nounwind")
    if layout.chunks:
        marks = f.at(f.load("ptr", "@POOL"), layout.marks, "i8")
        with f.count(str(layout.words)) as word:
            changed = f.value(f"load i64, ptr {f.at(marks, word, 'i64')}{MARK}")
            for address, before in (
                (f.at("%differing", word, "i64"), "%before"),
                (f.at("@BLOCKS", word, "i64"), "-1"),
            ):
                kept = f.value(f"and i64 {f.load('i64', address)}, {before}")
                f.store("i64", f.value(f"or i64 {kept}, {changed}"), address)
        f.store("i64", "1", "@HELD")
    f.leave("void")
    return f.text()


def _mask(
    f: Function, mask: str, marked: str, marks: int, count: str, places: tuple[str, str, str]
) -> None:
    """Write code that sets the possible actions in the mask of a match, or records them.

    `places` contains the address of the options, the number of the first action, and the number of
    actions of the site.
    """
    offers, here, width = places
    with f.count(count) as offer:
        option = f.cell(offers, offer)
        with f.when(f.value(f"icmp uge i64 {option}, {width}")):
            failing(f, GIVEN_UP)
        number = f.value(f"add i64 {here}, {option}")
        where = f.at(mask, number, "i8")
        if marks:
            with f.when(f.value(f"icmp slt i64 {offer}, {marks - 1}")):
                place = f.value(f"add i64 {offer}, 1")
                _ask_for(f, where)
                f.set_cell(marked, place, f.value(f"trunc i64 {number} to i32"))
            with f.when(f.value(f"icmp sge i64 {count}, {marks}")):
                f.store("i8", "1", where)
        else:
            f.store("i8", "1", where)
    if marks:
        is_known = f.value(f"icmp slt i64 {count}, {marks}")
        known = f.value(f"select i1 {is_known}, i64 {count}, i64 -1")
        f.set_cell(marked, 0, f.value(f"trunc i64 {known} to i32"))


def _clear(f: Function, mask: str, actions: int, marked: str) -> None:
    """Write code that clears the mask of a match. If `marked` is not empty, it is the address of
    the actions that `_mask` recorded."""

    def whole() -> None:
        f.do(f"call void @llvm.memset.p0.i64(ptr {mask}, i8 0, i64 {actions}, i1 false)")

    if not marked:
        whole()
        return
    count = f.cell(marked, 0)
    with f.when(f.value(f"icmp slt i64 {count}, 0")):
        whole()
    with f.count(count) as here:
        number = f.cell(marked, f.value(f"add i64 {here}, 1"))
        f.store("i8", "0", f.at(mask, number, "i8"))


def _near(module: Module) -> str:
    """Write a function that prefetches the parts of a match's mask that are set."""
    f = Function("internal fastcc void @near(ptr %V, i64 %play) nounwind")
    for where in _set(f, module):
        _ask_for(f, where)
    f.leave("void")
    return f.text()


def _put(module: Module) -> str:
    """Write a function that sets the recorded actions of a match in its mask."""
    f = Function("internal fastcc void @put(ptr %V, i64 %play) nounwind")
    for where in _set(f, module):
        f.store("i8", "1", where)
    f.leave("void")
    return f.text()


def _fetch(module: Module) -> str:
    """Write a function that prefetches those blocks of a match that differ from the start. The step
    of the match copies them."""
    program, layout = module.program, module.layout
    f = Function("internal fastcc void @fetch(ptr %V, i64 %play) nounwind")
    state = f.at(_of(f, CELLS), f.value(f"mul i64 %play, {program.size}"))
    differing = f.at(_of(f, DIFFERING), f.value(f"mul i64 %play, {blocks_of(program)}"), "i8")
    with f.count(str(layout.words)) as word:
        marks = f.load("i64", f.at(differing, word, "i64"))
        with f.when(f.value(f"icmp ne i64 {marks}, 0")):
            first = f.value(f"shl i64 {word}, 3")
            for byte in range(8):
                marked = f.value(f"and i64 {marks}, {255 << 8 * byte}")
                with f.when(f.value(f"icmp ne i64 {marked}, 0")):
                    chunk = f.value(f"or i64 {first}, {byte}")
                    here = f.at(state, f.value(f"shl i64 {chunk}, {CHUNK_SHIFT}"), "i8")
                    for line in range(0, 4 * CHUNK, LINE):
                        where = f.at(here, line, "i8")
                        f.do(f"call void @llvm.prefetch.p0(ptr {where}, i32 0, i32 2, i32 1)")
    f.leave("void")
    return f.text()


def _set(f: Function, module: Module) -> Iterator[str]:
    """Write a loop over the recorded actions of a match. Yield the address of an action in the mask."""
    actions = action_starts(module.program)[-1]
    mask = f.at(_of(f, MASKS), f.value(f"mul i64 %play, {actions}"), "i8")
    marked = f.at(_of(f, MARKED), f.value(f"mul i64 %play, {marks_of(actions)}"))
    with f.count(f.cell(marked, 0)) as here:
        yield f.at(mask, f.cell(marked, f.value(f"add i64 {here}, 1")), "i8")


def _ask_for(f: Function, where: str) -> None:
    f.do(f"call void @llvm.prefetch.p0(ptr {where}, i32 1, i32 3, i32 1)")


def _pay(module: Module) -> str:
    """Write a function that writes the reward of each seat for a finished match, given the recorded end."""
    seats = range(module.program.seats)
    f = Function("internal fastcc void @pay(ptr %V, i64 %play) nounwind")
    row = f.value(f"mul i64 %play, {len(seats)}")
    rewards = f.at(_of(f, REWARDS), row, "double")
    worth = _of(f, WORTH)
    with f.when(f.value(f"icmp ne ptr {worth}, null")):
        won, winners = f.at(_of(f, WON), row, "i8"), "0"
        for seat in seats:
            has_won = f.value(f"zext i8 {f.load('i8', f.at(won, seat, 'i8'))} to i64")
            winners = f.value(f"add i64 {winners}, {f.value(f'shl i64 {has_won}, {seat}')}")
        mine = f.at(worth, f.value(f"mul i64 {winners}, {len(seats)}"), "double")
        copy(f, rewards, mine, 8 * len(seats))
        f.leave("void")
    totals, sum_of = f.at(_of(f, TOTALS), row, "i64"), "0"
    points = [f.load("i64", f.at(totals, seat, "i64")) for seat in seats]
    for total in points:
        sum_of = f.value(f"add i64 {sum_of}, {total}")
    apart = f.value(f"mul i64 {sum_of}, {_of(f, APART, 'i64')}")
    mean = f.value(f"fdiv double {f.value(f'sitofp i64 {apart} to double')}, {len(seats)}.0")
    for seat, total in zip(seats, points, strict=True):
        above = f.value(f"fsub double {f.value(f'sitofp i64 {total} to double')}, {mean}")
        f.store("double", above, f.at(rewards, seat, "double"))
    f.leave("void")
    return f.text()
