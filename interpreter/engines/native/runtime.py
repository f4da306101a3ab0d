"""Writes LLVM IR that all native modules need: lists, runs and options. This module does not depend on searches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rulewright.dsl.ir import BOUND, FP, FRAME, HALT, OVER, PLAYER, RESUME, SITE, SP
from rulewright.interpreter.engines.engine import STEPS
from rulewright.interpreter.engines.native.llvm_text import Function
from rulewright.interpreter.engines.native.module import (
    ADDRESSES,
    CHUNK,
    CHUNK_SHIFT,
    FAILED,
    FOUND,
    GIVEN_UP,
    IMPOSSIBLE,
    MARK,
    NOTES,
    NUMBERS,
    Layout,
    Module,
)

CALLS: Final = 400
"""The maximum depth of recursive calls."""

ABREAST: Final = (8, 4)
"""The numbers of items of a list that are compared at once, in the order in which they are used."""

SMALL: Final = 200
"""The maximum size, in cells, of a state that is copied as a whole."""

DECLARED = """
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@N_none = private unnamed_addr constant [1 x i32] zeroinitializer
"""


def runtime(module: Module) -> list[str]:
    """Write the memory, and the functions that do not depend on the game."""
    memory = [f"@{name} = internal global i64 0" for name in NUMBERS]
    memory += [f"@{name} = internal global ptr null" for name in ADDRESSES]
    memory += [f"@{name}_BEGIN = internal global ptr null" for name in ("OFFERS",)]
    memory.append("@DRIVE = internal global ptr null")
    memory.append("@TOTALS = internal global ptr null")
    memory.append("@BEFORE = internal global ptr null")
    memory += [f"@{name} = internal global ptr null" for name in ("TELL", "TELL_END")]
    functions = [
        _has(),
        _grow(),
        _keep_list(),
        _sync(module),
        _enter(module),
        _leave(module),
        _undo(module),
        _answer(module),
        _list(module),
    ]
    functions += [_look(), _go(module), _begin(), _init()]
    return [DECLARED, *memory, NOTES, *functions]


def failing(f: Function, why: int) -> None:
    """Write code that stores the reason for a failure and returns FAILED, in a function with a numeric result."""
    f.store("i64", str(why), "@ERR")
    f.leave(f"i64 {FAILED}")


def has_failed(f: Function, value: str) -> str:
    """Write code that tests whether a result means that the function has failed. Return the name of the result."""
    return f.value(f"icmp eq i64 {value}, {FAILED}")


def is_impossible(f: Function) -> str:
    """Write code that tests whether the failure was an impossible step. Return the name of the result."""
    return f.value(f"icmp eq i64 {f.load('i64', '@ERR')}, {IMPOSSIBLE}")


def add(f: Function, name: str, value: str | int) -> str:
    """Write code that adds to a number of the memory. Return the name of the new value."""
    found = f.value(f"add i64 {f.load('i64', name)}, {value}")
    f.store("i64", found, name)
    return found


# ---- lists ---------------------------------------------------------------------------------------


def _has() -> str:
    """Write a function that returns whether a list contains a number."""
    f = Function("internal fastcc i1 @has(ptr %items, i64 %length, i64 %wanted) nounwind")
    found, never = f.label(), f.label()
    cell = f.value("trunc i64 %wanted to i32")
    with f.when(f.value(f"icmp ne i64 {f.value(f'sext i32 {cell} to i64')}, %wanted")):
        f.leave("i1 false")
    place = f.variable("i64", "0")

    def is_at(here: str, many: int) -> str:
        address = f.at("%items", here)
        if many == 1:
            return f.value(f"icmp eq i32 {f.value(f'load i32, ptr {address}')}, {cell}")
        kind = f"<{many} x i32>"
        one = f.value(f"insertelement {kind} poison, i32 {cell}, i64 0")
        each = f.value(f"shufflevector {kind} {one}, {kind} poison, {kind} zeroinitializer")
        items = f.value(f"load {kind}, ptr {address}, align 4")
        bits = f.value(f"icmp eq {kind} {items}, {each}")
        word = f.value(f"bitcast <{many} x i1> {bits} to i{many}")
        return f.value(f"icmp ne i{many} {word}, 0")

    for many in (*ABREAST, 1):
        with f.when(f.value(f"icmp sge i64 %length, {many}")):
            with f.loop() as (_, after):
                turn = f.label()
                here = f.load("i64", place)
                following = f.value(f"add i64 {here}, {many}")
                f.branch(f.value(f"icmp sle i64 {following}, %length"), turn, after)
                f.start(turn)
                f.store("i64", following, place)
                with f.when(is_at(here, many)):
                    f.jump(found)
            if many > 1:  # the remaining items, overlapping with items that were already tested
                with f.when(is_at(f.value(f"sub i64 %length, {many}"), many)):
                    f.jump(found)
            f.jump(never)
    f.start(never)
    f.leave("i1 false")
    f.start(found)
    f.leave("i1 true")
    return f.text()


def _grow() -> str:
    """Write a function that moves a list to a larger allocation and returns its address.

    The list has `%length` cells; its old allocation has space for `%room` cells. The address is
    null if no memory is left.
    """
    f = Function("internal fastcc ptr @grow(ptr %old, i64 %length, i64 %room, i64 %more) nounwind")
    top = f.load("ptr", "@TOP")
    last = f.value(f"icmp eq ptr {f.at('%old', '%room')}, {top}")
    in_place = f.value(f"and i1 {last}, {f.value('icmp sgt i64 %room, 0')}")
    new = f.value(f"select i1 {in_place}, ptr %old, ptr {top}")
    end = f.at(new, "%more")
    with f.when(f.value(f"icmp ugt ptr {end}, {f.load('ptr', '@END')}")):
        f.store("i64", str(GIVEN_UP), "@ERR")
        f.leave("ptr null")
    f.store("ptr", end, "@TOP")
    with f.when(f.value(f"icmp ne ptr {new}, %old")):
        size = f.value("shl i64 %length, 2")
        f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {new}, ptr %old, i64 {size}, i1 false)")
    f.leave(f"ptr {new}")
    return f.text()


def _keep_list() -> str:
    """Write a function that frees all lists made since a mark except the given list of numbers.

    It returns the new address of the list.
    """
    f = Function("internal fastcc ptr @keep_list(ptr %mark, ptr %items, i64 %length) nounwind")
    top = f.load("ptr", "@TOP")
    above = f.value("icmp uge ptr %items, %mark")
    is_new = f.value(f"and i1 {above}, {f.value(f'icmp ult ptr %items, {top}')}")
    with f.when(is_new):
        size = f.value("shl i64 %length, 2")
        f.do(f"call void @llvm.memmove.p0.p0.i64(ptr %mark, ptr %items, i64 {size}, i1 false)")
        f.store("ptr", f.at("%mark", "%length"), "@TOP")
        f.leave("ptr %mark")
    f.store("ptr", "%mark", "@TOP")
    f.leave("ptr %items")
    return f.text()


# ---- states --------------------------------------------------------------------------------------


def _sync(module: Module) -> str:
    """Write a function that makes a state in the pool equal to an earlier state."""
    layout = module.layout
    f = Function("internal fastcc void @sync(ptr %to, ptr %from) nounwind")
    with whole(f, layout, "%to", "%from"):
        _mark_between(f, layout)
        _copy_marked(f, layout, "%to", "%from", "%to", f.at("%to", layout.stride, "i8"))
        _mark_between(f, layout)
    f.leave("void")
    return f.text()


def _mark_between(f: Function, layout: Layout) -> None:
    """Write code that marks where a state may differ from an earlier state, given the marks of the
    states between them."""
    if not layout.chunks:
        return
    between, step = f.variable("ptr"), layout.stride
    f.store("ptr", f.at("%from", step, "i8"), between)
    with f.loop() as (_, after):
        turn = f.label()
        here = f.load("ptr", between)
        f.branch(f.value(f"icmp ult ptr {here}, %to"), turn, after)
        f.start(turn)
        with f.count(str(layout.words)) as word:
            marks = [f.at(f.at(each, layout.marks, "i8"), word, "i64") for each in (here, "%to")]
            both = [f.value(f"load i64, ptr {address}{MARK}") for address in marks]
            f.do(f"store i64 {f.value(f'or i64 {both[0]}, {both[1]}')}, ptr {marks[1]}{MARK}")
        f.store("ptr", f.at(here, step, "i8"), between)


def _enter(module: Module) -> str:
    """Write a function that copies a state of the caller to the first state of the pool.

    Only changed chunks are copied, because the caller's state often differs little from the
    previous one.
    """
    layout = module.layout
    f = Function("internal fastcc ptr @enter(ptr %from) nounwind")
    to = f.load("ptr", "@POOL")
    f.store("i64", "0", "@HELD")
    with whole(f, layout, to, "%from"), f.when("true" if layout.chunks else "false"):
        marks = f.at(to, layout.marks, "i8")
        following = f.at(marks, layout.stride, "i8")
        size = layout.chunks + 1
        f.do(f"call void @llvm.memset.p0.i64(ptr {marks}, i8 0, i64 {size}, i1 false)")
        with f.count(str(layout.chunks)) as chunk:
            place = f.value(f"shl i64 {chunk}, {CHUNK_SHIFT}")
            pair = f.at(to, place, "i8"), f.at("%from", place, "i8")
            same = f.value(f"call fastcc i1 @same(ptr {pair[0]}, ptr {pair[1]})")
            with f.when(f.value(f"xor i1 {same}, true")):
                copy(f, *pair, 4 * CHUNK)
                f.do(f"store i8 1, ptr {f.at(following, chunk, 'i8')}{MARK}")
    f.leave(f"ptr {to}")
    return f.text() + _same()


def _leave(module: Module) -> str:
    """Write a function that copies the first state of the pool back to the caller's state."""
    layout = module.layout
    f = Function("internal fastcc void @leave(ptr %to) nounwind")
    origin = f.load("ptr", "@POOL")
    with whole(f, layout, "%to", origin):
        _copy_marked(f, layout, "%to", origin, origin, "")
    f.leave("void")
    return f.text()


def _undo(module: Module) -> str:
    """Write a function that undoes the changes to a state in the pool. The old state is restored
    from a copy later in the pool."""
    layout = module.layout
    f = Function("internal fastcc void @undo(ptr %to, ptr %from) nounwind")
    with whole(f, layout, "%to", "%from"):
        _copy_marked(f, layout, "%to", "%from", f.at("%to", layout.stride, "i8"), "", stay=True)
    f.leave("void")
    return f.text()


def _same() -> str:
    """Write a function that returns whether two chunks are equal."""
    f = Function("internal fastcc i1 @same(ptr %one, ptr %other) nounwind")
    differs = f.variable("i64", "0")
    with f.count(str(CHUNK // 2)) as word:
        pair = [
            f.value(f"load i64, ptr {f.at(p, word, 'i64')}, align 4") for p in ("%one", "%other")
        ]
        change = f.value(f"xor i64 {pair[0]}, {pair[1]}")
        f.store("i64", f.value(f"or i64 {f.load('i64', differs)}, {change}"), differs)
    differing = f.load("i64", differs)
    f.leave(f"i1 {f.value(f'icmp eq i64 {differing}, 0')}")
    return f.text()


def copy(f: Function, to: str, origin: str, size: str | int) -> None:
    """Write code that copies `size` bytes."""
    f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {origin}, i64 {size}, i1 false)")


def _copy_marked(
    f: Function,
    layout: Layout,
    to: str,
    origin: str,
    marked: str,
    following: str,
    *,
    stay: bool = False,
) -> None:
    """Write code that copies the first chunk and the marked chunks.

    The marks of the state are moved to the following state. With `stay`, they are copied instead.
    """
    if not layout.chunks:
        return
    copy(f, to, origin, 4 * CHUNK)
    marks = f.at(marked, layout.marks, "i8")
    more = f.at(following, layout.marks, "i8") if following else ""
    with f.count(str(layout.words)) as word:
        address = f.at(marks, word, "i64")
        found = f.value(f"load i64, ptr {address}{MARK}")
        with f.when(f.value(f"icmp ne i64 {found}, 0")):
            first = f.value(f"shl i64 {word}, 3")
            for byte in range(8):
                chunk = f.value(f"or i64 {first}, {byte}")
                is_marked = f.value(f"load i8, ptr {f.at(marks, chunk, 'i8')}{MARK}")
                is_whole = f.value(f"icmp slt i64 {chunk}, {layout.chunks}")
                changed = f.value(f"icmp ne i8 {is_marked}, 0")
                with f.when(f.value(f"and i1 {changed}, {is_whole}")):
                    place = f.value(f"shl i64 {chunk}, {CHUNK_SHIFT}")
                    copy(f, f.at(to, place, "i8"), f.at(origin, place, "i8"), 4 * CHUNK)
                    if more:
                        f.do(f"store i8 1, ptr {f.at(more, chunk, 'i8')}{MARK}")
            if not stay:
                f.do(f"store i64 0, ptr {address}{MARK}")


@contextmanager
def whole(f: Function, layout: Layout, to: str, origin: str) -> Iterator[None]:
    """Write code that copies a state. The code of the `with` block copies the chunks.

    Cells from the stack pointer on are zero in all states.
    """
    if layout.size <= SMALL:
        yield
        copy_small(f, layout.size, to, origin)
        return
    before, now = f.cell(to, SP), f.cell(origin, SP)
    yield
    first = layout.rest
    size = f.value(f"shl i64 {f.value(f'sub i64 {now}, {first}')}, 2")
    copy(f, f.at(to, first), f.at(origin, first), size)
    with f.when(f.value(f"icmp sgt i64 {before}, {now}")):
        rest = f.value(f"shl i64 {f.value(f'sub i64 {before}, {now}')}, 2")
        f.do(f"call void @llvm.memset.p0.i64(ptr {f.at(to, now)}, i8 0, i64 {rest}, i1 false)")


def copy_small(f: Function, size: int, to: str, origin: str) -> None:
    """Write code that copies `size` cells without a loop."""
    place = 0
    while place < size:
        many = min(16, 2 ** ((size - place).bit_length() - 1))
        kind = f"<{many} x i32>"
        cells = f.value(f"load {kind}, ptr {f.at(origin, place)}, align 4")
        f.do(f"store {kind} {cells}, ptr {f.at(to, place)}, align 4")
        place += many


def _answer(module: Module) -> str:
    """Write a function that writes an option or a result of chance to the cell that the open decision reads."""
    program = module.program
    sites = module.numbers(tuple(FRAME + site.slot for site in program.sites) or (0,))
    chances = module.numbers(tuple(FRAME + site.slot for site in program.chances) or (0,))
    f = Function("internal fastcc void @answer(ptr %S, i32 %choice) nounwind")
    slots = f.variable("ptr", sites)
    with f.when(f.value(f"icmp ne i64 {f.cell('%S', BOUND)}, 0")):
        f.store("ptr", chances, slots)
    slot = f.cell(f.load("ptr", slots), f.cell("%S", SITE))
    f.set_cell("%S", f.value(f"add i64 {f.cell('%S', FP)}, {slot}"), "%choice")
    f.set_cell("%S", SITE, "-1")
    f.set_cell("%S", PLAYER, "-1")
    f.set_cell("%S", BOUND, "0")
    f.leave("void")
    return f.text()


# ---- runs ----------------------------------------------------------------------------------------


def _list(module: Module) -> str:
    """Write a function that writes the options offered by the enumerator of the open decision to `@OFFERS`.

    It returns their number.
    """
    enumerators = tuple(f"@e{number}" for number in range(len(module.program.sites)))
    table = module.words(enumerators or ("null",))
    f = Function("internal fastcc i64 @list(ptr %S, i64 %limit) nounwind")
    top, depth = f.load("ptr", "@TOP"), f.load("i64", "@DEPTH")
    f.store("i64", "0", "@COUNT")
    f.store("i64", "%limit", "@LIMIT")
    enumerator = f.load("ptr", f.at(table, f.cell("%S", SITE), "ptr"))
    found = f.value(f"call fastcc i64 {enumerator}(ptr %S)")
    f.store("ptr", top, "@TOP")
    f.store("i64", depth, "@DEPTH")
    with f.when(has_failed(f, found)):
        f.leave(f"i64 {FAILED}")
    f.leave(f"i64 {f.load('i64', '@COUNT')}")
    return f.text() + _all_offers()


def _all_offers() -> str:
    """Write a function that does the same as `@list`, but is limited only by the available space."""
    f = Function("internal fastcc i64 @list_all(ptr %S) nounwind")
    ends = [f.load("ptr", name) for name in ("@OFFERS_END", "@OFFERS")]
    numbers = [f.value(f"ptrtoint ptr {end} to i64") for end in ends]
    room = f.value(f"ashr i64 {f.value(f'sub i64 {numbers[0]}, {numbers[1]}')}, 2")
    with f.when(f.value(f"icmp slt i64 {room}, 1")):
        failing(f, GIVEN_UP)
    found = f.value(f"call fastcc i64 @list(ptr %S, i64 {room})")
    with f.when(has_failed(f, found)):
        with f.when(f.value(f"icmp eq i64 {f.load('i64', '@ERR')}, {FOUND}")):
            failing(f, GIVEN_UP)
        f.leave(f"i64 {FAILED}")
    f.leave(f"i64 {found}")
    return f.text()


def _look() -> str:
    """Write a function that returns HALT if the open decision offers anything.

    If the decision is reached by a run and not by a search, all options are listed immediately,
    because they are needed next. Failures after the first offer are left to the caller that needs
    the options.
    """
    f = Function("internal fastcc i64 @look(ptr %S, i64 %site) nounwind")
    with f.when(f.value(f"icmp eq i64 {f.load('i64', '@SEARCHING')}, 0")):
        found = f.value("call fastcc i64 @list_all(ptr %S)")
        with f.when(f.value(f"icmp sgt i64 {found}, 0")):
            f.store("i64", found, "@KNOWN")
            f.leave(f"i64 {HALT}")
        with f.when(f.value(f"icmp eq i64 {found}, 0")):
            failing(f, IMPOSSIBLE)
    found = f.value("call fastcc i64 @list(ptr %S, i64 1)")
    with f.when(f.value(f"icmp eq i64 {found}, 0")):
        failing(f, IMPOSSIBLE)
    with f.when(f.value(f"icmp eq i64 {f.load('i64', '@ERR')}, {FOUND}")):
        f.leave(f"i64 {HALT}")
    f.leave(f"i64 {FAILED}")
    return f.text()


def _go(module: Module) -> str:
    """Write a function that runs the program from a state. It stops at a decision or chance event,
    at the end of the game, at a return to HALT, or at a Leave with GUARD at `%floor`."""
    steps = module.words(tuple(f"@s{max(block.procedure, 0)}" for block in module.program.blocks))
    f = Function("internal fastcc i64 @go(ptr %S, i64 %floor) nounwind")
    with f.when(f.value(f"icmp sge i64 {f.cell('%S', SITE)}, 0")):
        f.leave("i64 0")
    with f.when(f.value(f"icmp ne i64 {f.cell('%S', OVER)}, 0")):
        f.leave("i64 0")
    block = f.variable("i64")
    f.store("i64", f.cell("%S", RESUME), block)
    f.set_cell("%S", RESUME, str(HALT))
    names = ("@FLOOR", "@TURNS", "@DEPTH")
    kept = [f.load("i64", name) for name in names]
    top = f.load("ptr", "@TOP")
    f.store("i64", "%floor", "@FLOOR")
    f.store("i64", str(STEPS), "@TURNS")
    f.store("i64", "0", "@COUNT")
    f.store("i64", "-1", "@KNOWN")
    with f.loop() as (_, after):
        turn, known = f.label(), f.label()
        here = f.load("i64", block)
        f.branch(f.value(f"icmp eq i64 {here}, {HALT}"), after, turn)
        f.start(turn)
        beyond = f.value(f"icmp uge i64 {here}, {len(module.program.blocks)}")
        wrong = f.label()
        f.branch(beyond, wrong, known)
        f.start(known)
        step = f.load("ptr", f.at(steps, here, "ptr"))
        f.store("i64", f.value(f"call fastcc i64 {step}(ptr %S, i64 {here})"), block)
    end = f.label()
    f.jump(end)
    f.start(wrong)
    # The result is the number of a block or, after a failure, FAILED.
    with f.when(f.value(f"icmp ne i64 {here}, {FAILED}")):
        f.store("i64", str(GIVEN_UP), "@ERR")
        f.store("i64", str(FAILED), block)
    f.start(end)
    for name, value in zip(names, kept, strict=True):
        f.store("i64", value, name)
    f.store("ptr", top, "@TOP")
    f.leave(f"i64 {f.load('i64', block)}")
    return f.text()


# ---- initialisation ------------------------------------------------------------------------------


def _begin() -> str:
    """Write the function that begins every request of the caller."""
    f = Function("internal fastcc void @begin() nounwind")
    for name, value in (
        ("TURNS", STEPS),
        ("DEPTH", CALLS),
        ("FLOOR", -1),
        ("KNOWN", -1),
        ("COUNT", 0),
        ("ERR", 0),
        ("SEARCHING", 0),
        ("METS", 0),
    ):
        f.store("i64", str(value), f"@{name}")
    f.store("ptr", f.load("ptr", "@BASE"), "@TOP")
    f.store("ptr", f.load("ptr", "@OFFERS_BEGIN"), "@OFFERS")
    f.store("ptr", "null", "@DRIVE")
    f.store("ptr", "null", "@TOTALS")
    f.store("ptr", "null", "@BEFORE")
    f.store("ptr", "null", "@TELL")
    f.leave("void")
    return f.text()


def _init() -> str:
    """Write the function that stores the addresses of the memory. The calling language owns this memory."""
    f = Function("i64 @rulewright_init(ptr %addresses)")
    for place, name in enumerate(ADDRESSES):
        f.store("ptr", f.load("ptr", f.at("%addresses", place, "i64")), f"@{name}")
    f.store("ptr", f.load("ptr", "@OFFERS"), "@OFFERS_BEGIN")
    f.leave("i64 0")
    return f.text()
