"""Writes LLVM IR for the possibility search. The code does the same as
`engines.possibility_search`, on states in a pool.

A dead decision is stored as two 64-bit hashes of the cells that differ from the first state of the
search. This module does not depend on matches.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rulewright.dsl.ir import (
    BOUND,
    FP,
    FRAME,
    GUARD,
    HALT,
    OVER,
    PLAYER,
    RESUME,
    SITE,
    SP,
)
from rulewright.interpreter.engines.native.llvm_text import Function, as_signed
from rulewright.interpreter.engines.native.module import (
    CHUNK,
    FAILED,
    GIVEN_UP,
    MARK,
    NEVER,
    Layout,
    Module,
)
from rulewright.interpreter.engines.native.optimise.ranges import HIGH
from rulewright.interpreter.engines.native.runtime import add, failing, has_failed, is_impossible

PLACES: Final = 2**17
"""The capacity of the table of dead decisions. Each entry consists of three numbers."""
FULL: Final = PLACES * 3 // 4
FEW: Final = 2**10
"""The size of the table until a search has filled most of it. A table this small stays in the CPU cache."""
MOST: Final = FEW * 3 // 4

DEEP: Final = 8
"""The index in the pool at which decisions begin to be recorded as soon as they are reached.

Earlier decisions are recorded when they turn out to be dead.
"""

BLOCK: Final = 16
"""The number of cells in a block. If one cell has changed, the whole block is mixed in. A chunk
consists of several blocks."""
MIXED: Final = (
    0x9E3779B97F4A7C15,
    0xD1B54A32D192ED03,
    0x8CB92BA72F3D8DD7,
    0xA0761D6478BD642F,
)


def searching(module: Module) -> list[str]:
    """Write the functions of the search."""
    functions = [_next_state(module), _enter_root(), _may_stop(module), _is_settled(module)]
    functions += [_any_settled(module), _mix(), _mix_block()]
    functions += [_is_new(module), _explore(module), _first_step()]
    functions += [
        _can_go_on(),
        _make_room(),
        _attempt(),
        _possible(module),
        _can_complete(),
        _keep_possible(),
        _options(module),
    ]
    return functions


def _next_state(module: Module) -> str:
    """Write a function that returns the next state in the pool that may be overwritten, or null if the pool is full."""
    f = Function("internal fastcc ptr @next_state(ptr %S) nounwind")
    before = f.load("ptr", "@BEFORE")
    stays = f.value(f"icmp ugt ptr {before}, %S")
    last = f.value(f"select i1 {stays}, ptr {before}, ptr %S")
    following = f.at(last, module.layout.stride, "i8")
    with f.when(f.value(f"icmp uge ptr {following}, {f.load('ptr', '@POOL_END')}")):
        f.store("i64", str(GIVEN_UP), "@ERR")
        f.leave("ptr null")
    f.leave(f"ptr {following}")
    return f.text()


def take(f: Function) -> str:
    """Write code that takes the next free state from the pool. Return the address of the state."""
    found = f.value("call fastcc ptr @next_state(ptr %S)")
    with f.when(f.value(f"icmp eq ptr {found}, null")):
        f.leave(f"i64 {FAILED}")
    return found


def _enter_root() -> str:
    """Write a function that returns the given state if it is in the pool. Otherwise it copies the
    state to the start of the pool, and returns the copy."""
    f = Function("internal fastcc ptr @enter_root(ptr %S) nounwind")
    first = f.value(f"icmp uge ptr %S, {f.load('ptr', '@POOL')}")
    last = f.value(f"icmp ult ptr %S, {f.load('ptr', '@POOL_END')}")
    with f.when(f.value(f"and i1 {first}, {last}")):
        f.leave("ptr %S")
    f.leave(f"ptr {f.value('call fastcc ptr @enter(ptr %S)')}")
    return f.text()


def _scope_table(module: Module) -> str:
    """Return the name of a table that contains the result of `scopes` for each site."""
    sites = range(len(module.program.sites))
    return module.numbers(tuple(scopes(module, number) for number in sites) or (0,))


def scopes(module: Module, site: int) -> int:
    """Return how many scopes must be open before the options of a site need a search."""
    searched = module.program.sites[site].search
    return 2 if site in module.sure else 1 if searched else HIGH


def _searched_sites(module: Module) -> str:
    sites = module.program.sites
    return module.numbers(tuple(int(site.search and not site.always) for site in sites) or (0,))


def _may_stop(module: Module) -> str:
    """Write a function that returns whether a search may stop: the scope is closed, or the state is at the horizon."""
    f = Function("internal fastcc i1 @may_stop(ptr %S, i64 %actor) nounwind")
    site = f.cell("%S", SITE)
    for test in (
        f"icmp slt i64 {site}, 0",
        f"icmp ne i64 {f.cell('%S', PLAYER)}, %actor",
        f"icmp sgt i64 {f.cell('%S', BOUND)}, 0",
    ):
        with f.when(f.value(test)):
            f.leave("i1 true")
    f.leave(f"i1 {f.value(f'icmp eq i64 {f.cell(_searched_sites(module), site)}, 0')}")
    return f.text()


def _is_settled(module: Module) -> str:
    """Write a function that returns whether an option of a decision is known to be possible without searching."""
    f = Function("internal fastcc i1 @is_settled(i64 %site, i32 %option) nounwind")
    firsts, edges = [0], []
    for site in module.program.sites:
        edges += [edge for pair in site.settled for edge in pair]
        firsts.append(len(edges))
    places, pairs = module.numbers(tuple(firsts)), module.numbers(tuple(edges) or (0,))
    here = f.variable("i64")
    f.store("i64", f.cell(places, "%site"), here)
    end = f.cell(f.at(places, 1), "%site")
    option = f.value("sext i32 %option to i64")
    with f.loop() as (_, after):
        turn = f.label()
        place = f.load("i64", here)
        f.branch(f.value(f"icmp slt i64 {place}, {end}"), turn, after)
        f.start(turn)
        above = f.value(f"icmp sge i64 {option}, {f.cell(pairs, place)}")
        below = f.value(f"icmp slt i64 {option}, {f.cell(f.at(pairs, 1), place)}")
        with f.when(f.value(f"and i1 {above}, {below}")):
            f.leave("i1 true")
        f.store("i64", f.value(f"add i64 {place}, 2"), here)
    f.leave("i1 false")
    return f.text()


def _any_settled(module: Module) -> str:
    """Write a function that returns whether any of the `%count` options at `%offers` is possible
    according to `@is_settled`."""
    f = Function("internal fastcc i1 @any_settled(i64 %site, ptr %offers, i64 %count) nounwind")
    has = module.numbers(tuple(int(bool(site.settled)) for site in module.program.sites) or (0,))
    with f.when(f.value(f"icmp ne i64 {f.cell(has, '%site')}, 0")), f.count("%count") as here:
        option = f.load("i32", f.at("%offers", here))
        with f.when(f.value(f"call fastcc i1 @is_settled(i64 %site, i32 {option})")):
            f.leave("i1 true")
    f.leave("i1 false")
    return f.text()


def _mix() -> str:
    """Write a function that multiplies two numbers, and mixes the halves of the product into one number."""
    f = Function("internal fastcc i64 @mix(i64 %a, i64 %b) nounwind alwaysinline")
    wide = [f.value(f"zext i64 {name} to i128") for name in ("%a", "%b")]
    product = f.value(f"mul i128 {wide[0]}, {wide[1]}")
    low = f.value(f"trunc i128 {product} to i64")
    high = f.value(f"trunc i128 {f.value(f'lshr i128 {product}, 64')} to i64")
    f.leave(f"i64 {f.value(f'xor i64 {low}, {high}')}")
    return f.text()


def _mix_block() -> str:
    """Write a function that mixes the cells of a block, four at a time, and their indices into two numbers."""
    f = Function("internal fastcc void @mix_block(ptr %lanes, ptr %S, i64 %place) nounwind")
    addresses = ["%lanes", f.at("%lanes", 1, "i64")]
    lanes = [f.variable("i64") for _ in addresses]
    for lane, address in zip(lanes, addresses, strict=True):
        f.store("i64", f.load("i64", address), lane)

    def take_in(word: str, other: str) -> None:
        for number, (lane, first, second) in enumerate(((lanes[0], 0, 1), (lanes[1], 2, 3))):
            words = (word, other) if number else (other, word)
            one = f.value(f"xor i64 {words[0]}, {as_signed(MIXED[first])}")
            two = f.value(f"xor i64 {words[1]}, {as_signed(MIXED[second])}")
            two = f.value(f"xor i64 {two}, {f.load('i64', lane)}")
            f.store("i64", f.value(f"call fastcc i64 @mix(i64 {one}, i64 {two})"), lane)

    cells = f.at("%S", "%place")
    words = [f.value(f"load i64, ptr {f.at(cells, cell)}, align 4") for cell in range(0, BLOCK, 2)]
    take_in("%place", words[0])
    for one, other in zip(words[1::2], [*words[2::2], "%place"], strict=True):
        take_in(one, other)
    for lane, address in zip(lanes, addresses, strict=True):
        f.store("i64", f.load("i64", lane), address)
    f.leave("void")
    return f.text()


def _hash_chunks(f: Function, layout: Layout, lanes: str) -> None:
    """Write code that mixes in those blocks of all chunks that differ from the first state. The
    first state does not change during a search."""
    root = f.load("ptr", "@POOL")
    state, union = f.variable("ptr"), f.variable("i64")
    _hash_changed(f, lanes, root, "0", CHUNK)
    with f.count(str(layout.words)) as word:
        f.store("ptr", "%S", state)
        f.store("i64", "0", union)
        with f.loop() as (_, after):
            before = f.label()
            here = f.load("ptr", state)
            f.branch(f.value(f"icmp ugt ptr {here}, {root}"), before, after)
            f.start(before)
            marks = f.at(f.at(here, layout.marks, "i8"), word, "i64")
            marked = f.value(f"load i64, ptr {marks}{MARK}")
            f.store("i64", f.value(f"or i64 {f.load('i64', union)}, {marked}"), union)
            f.store("ptr", f.at(here, -layout.stride, "i8"), state)
        with f.loop() as (_, after):
            turn = f.label()
            found = f.load("i64", union)
            f.branch(f.value(f"icmp eq i64 {found}, 0"), after, turn)
            f.start(turn)
            byte = f.value(f"lshr i64 {_lowest(f, found)}, 3")
            f.store("i64", f.value(f"and i64 {found}, {f.value(f'sub i64 {found}, 1')}"), union)
            chunk = f.value(f"or i64 {f.value(f'shl i64 {word}, 3')}, {byte}")
            inside = f.value(f"icmp slt i64 {chunk}, {layout.chunks}")
            with f.when(f.value(f"and i1 {inside}, {f.value(f'icmp ne i64 {chunk}, 0')}")):
                _hash_changed(f, lanes, root, f.value(f"mul i64 {chunk}, {CHUNK}"), CHUNK)


def _lowest(f: Function, bits: str) -> str:
    return f.value(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")


def _hash_changed(f: Function, lanes: str, root: str, first: str, count: int) -> None:
    """Write code that compares `count` cells, starting at `first`, with the first state, and mixes
    in the blocks that differ."""
    for block in range(0, count, BLOCK):
        place = f.value(f"add i64 {first}, {block}") if block else first
        kind = f"<{BLOCK} x i32>"
        one, other = (
            f.value(f"load {kind}, ptr {f.at(state, place)}, align 4") for state in ("%S", root)
        )
        differ = f.value(f"icmp ne {kind} {one}, {other}")
        bits = f.value(f"bitcast <{BLOCK} x i1> {differ} to i{BLOCK}")
        with f.when(f.value(f"icmp ne i{BLOCK} {bits}, 0")):
            f.do(f"call fastcc void @mix_block(ptr {lanes}, ptr %S, i64 {place})")


def _hash_stack(f: Function, layout: Layout, lanes: str) -> None:
    """Write code that mixes in the changed blocks behind the last chunk."""
    root, size = f.load("ptr", "@POOL"), f.cell("%S", SP)
    place = f.variable("i64")
    f.store("i64", str(layout.rest), place)
    with f.loop() as (_, after):
        turn = f.label()
        here = f.load("i64", place)
        f.branch(f.value(f"icmp slt i64 {here}, {size}"), turn, after)
        f.start(turn)
        f.store("i64", f.value(f"add i64 {here}, {BLOCK}"), place)
        _hash_changed(f, lanes, root, here, BLOCK)


def _is_new(module: Module) -> str:
    """Write a function that returns 1 if a search reaches a decision for the first time, otherwise 0.

    A decision that was reached counts as dead until a way is found.
    """
    layout = module.layout
    f = Function("internal fastcc i64 @is_new(ptr %S, i64 %dead) nounwind")
    lanes = f.variable("[2 x i64]")
    f.store("i64", f.value(f"add i64 %dead, {as_signed(MIXED[0])}"), lanes)
    f.store("i64", f.value(f"xor i64 %dead, {as_signed(MIXED[1])}"), f.at(lanes, 1, "i64"))
    if layout.chunks:
        _hash_chunks(f, layout, lanes)
    _hash_stack(f, layout, lanes)
    one, two = lanes, f.at(lanes, 1, "i64")
    key = [f.load("i64", one), f.value(f"or i64 {f.load('i64', two)}, 1")]
    table, index = f.load("ptr", "@DEADS"), f.variable("i64")
    f.store("i64", key[0], index)
    with f.loop() as (_, after):
        reach = f.value(f"or i64 {f.load('i64', '@WIDE')}, {FEW - 1}")
        number = f.value(f"and i64 {f.load('i64', index)}, {reach}")
        entry = f.at(table, f.value(f"mul i64 {number}, 3"), "i64")
        seconds, lives = f.at(entry, 1, "i64"), f.at(entry, 2, "i64")
        second = f.load("i64", seconds)
        with f.when(f.value(f"icmp eq i64 {second}, 0")):
            filled = add(f, "@FILLED", 1)
            with f.when(f.value(f"icmp sge i64 {filled}, {MOST}")):
                # With the larger table, earlier entries are no longer found. The search may visit
                # their states again.
                f.store("i64", str(PLACES - 1), "@WIDE")
                with f.when(f.value(f"icmp sgt i64 {filled}, {FULL}")):
                    failing(f, GIVEN_UP)
            f.store("i64", key[0], entry)
            f.store("i64", key[1], seconds)
            f.store("i64", "0", lives)
            f.jump(after)
        firsts = f.value(f"icmp eq i64 {f.load('i64', entry)}, {key[0]}")
        both = f.value(f"and i1 {firsts}, {f.value(f'icmp eq i64 {second}, {key[1]}')}")
        with f.when(both):
            f.jump(after)
        f.store("i64", f.value(f"add i64 {number}, 1"), index)
    with f.when(f.value(f"icmp ne i64 {f.load('i64', lives)}, 0")):
        f.leave("i64 0")
    f.store("i64", "1", lives)
    add(f, "@NOTED", 1)
    count = f.load("i64", "@METS")
    f.store("i64", number, f.at(f.load("ptr", "@MET"), count, "i64"))
    add(f, "@METS", 1)
    f.leave("i64 1")
    return f.text()


def _explore(module: Module) -> str:
    """Write a function that returns 1 if the actor can get from an open decision to the horizon or
    to the end of the scope, otherwise 0.

    Most searches find a way immediately, and storing decisions is slow. So decisions are stored in
    advance only if the table has entries, or if the path is long enough to contain a cycle.
    """
    f = Function("internal fastcc i64 @explore(ptr %S, i64 %actor, i64 %floor, i64 %dead) nounwind")
    deep = f.at(f.load("ptr", "@POOL"), DEEP * module.layout.stride, "i8")
    many = f.value(f"icmp ne i64 {f.load('i64', '@NOTED')}, 0")
    noted = f.value(f"or i1 {many}, {f.value(f'icmp uge ptr %S, {deep}')}")
    with f.when(noted):
        new = f.value("call fastcc i64 @is_new(ptr %S, i64 %dead)")
        with f.when(f.value(f"icmp ne i64 {new}, 1")):
            f.leave(f"i64 {new}")
    offers = f.load("ptr", "@OFFERS")
    count = f.value("call fastcc i64 @list_all(ptr %S)")
    with f.when(has_failed(f, count)):
        with f.when(is_impossible(f)):
            f.leave("i64 0")
        f.leave(f"i64 {FAILED}")
    site = f.cell("%S", SITE)
    with f.when(f.value(f"call fastcc i1 @any_settled(i64 {site}, ptr {offers}, i64 {count})")):
        f.leave("i64 1")
    f.store("ptr", f.at(offers, count), "@OFFERS")
    copy = take(f)
    place, found = f.variable("i64", "0"), f.variable("i64", "0")
    with f.loop() as (head, after):
        turn = f.label()
        here = f.load("i64", place)
        f.branch(f.value(f"icmp slt i64 {here}, {count}"), turn, after)
        f.start(turn)
        f.store("i64", f.value(f"add i64 {here}, 1"), place)
        tried = add(f, "@TRIED", 1)
        with f.when(f.value(f"icmp sgt i64 {tried}, {module.program.lookahead}")):
            failing(f, GIVEN_UP)
        _step(f, copy, f.load("i32", f.at(offers, here)), "%floor", head)
        with f.when(f.value(f"call fastcc i1 @may_stop(ptr {copy}, i64 %actor)")):
            f.store("i64", "1", found)
            f.jump(after)
        more = f.value(f"call fastcc i64 @explore(ptr {copy}, i64 %actor, i64 %floor, i64 %dead)")
        with f.when(has_failed(f, more)):
            f.leave(f"i64 {FAILED}")
        with f.when(f.value(f"icmp ne i64 {more}, 0")):
            f.store("i64", "1", found)
            f.jump(after)
    f.store("ptr", offers, "@OFFERS")
    dies = f.value(f"icmp eq i64 {f.load('i64', found)}, 0")
    with f.when(f.value(f"and i1 {dies}, {f.value(f'xor i1 {noted}, true')}")):
        new = f.value("call fastcc i64 @is_new(ptr %S, i64 %dead)")
        with f.when(has_failed(f, new)):
            f.leave(f"i64 {FAILED}")
    f.leave(f"i64 {f.load('i64', found)}")
    return f.text()


def _step(f: Function, copy: str, choice: str, floor: str, impossible: str) -> None:
    """Write code that answers the open decision on a copy, and runs the copy. If the step is
    impossible, the code jumps to a label."""
    f.do(f"call fastcc void @sync(ptr {copy}, ptr %S)")
    f.do(f"call fastcc void @answer(ptr {copy}, i32 {choice})")
    _run(f, copy, floor, impossible)


def _run(f: Function, state: str, floor: str, impossible: str) -> None:
    gone = f.value(f"call fastcc i64 @go(ptr {state}, i64 {floor})")
    with f.when(has_failed(f, gone)):
        with f.when(is_impossible(f)):
            f.jump(impossible)
        f.leave(f"i64 {FAILED}")


def _first_step() -> str:
    """Write a function that calls `@explore`. If a way is found, the function unmarks the decisions
    that were reached as dead."""
    f = Function(
        "internal fastcc i64 @first_step(ptr %S, i64 %actor, i64 %floor, i64 %dead) nounwind"
    )
    before, tell = f.load("i64", "@METS"), f.load("ptr", "@TELL")
    f.store("ptr", "null", "@TELL")
    found = f.value("call fastcc i64 @explore(ptr %S, i64 %actor, i64 %floor, i64 %dead)")
    f.store("ptr", tell, "@TELL")
    with f.when(f.value(f"icmp eq i64 {found}, 1")), f.loop() as (_, after):
        turn = f.label()
        count = f.load("i64", "@METS")
        f.branch(f.value(f"icmp sgt i64 {count}, {before}"), turn, after)
        f.start(turn)
        last = add(f, "@METS", -1)
        number = f.load("i64", f.at(f.load("ptr", "@MET"), last, "i64"))
        place = f.value(f"add i64 {f.value(f'mul i64 {number}, 3')}, 2")
        f.store("i64", "0", f.at(f.load("ptr", "@DEADS"), place, "i64"))
    f.store("i64", before, "@METS")
    f.leave(f"i64 {found}")
    return f.text()


@contextmanager
def _nested_search(f: Function) -> Iterator[None]:
    """Write code around a nested search: save the variables of the current search before it, and
    restore them after it."""
    names = ("@COUNT", "@LIMIT", "@KNOWN", "@TRIED", "@SEARCHING", "@NOTED")
    kept = [f.load("i64", name) for name in names]
    offers, drive, tell = (f.load("ptr", name) for name in ("@OFFERS", "@DRIVE", "@TELL"))
    f.store("ptr", f.at(offers, kept[0]), "@OFFERS")
    f.store("ptr", "null", "@DRIVE")
    f.store("ptr", "null", "@TELL")
    add(f, "@SEARCHING", 1)
    f.store("i64", "0", "@TRIED")
    f.store("i64", "0", "@NOTED")
    yield
    for name, value in zip(names, kept, strict=True):
        f.store("i64", value, name)
    f.store("ptr", offers, "@OFFERS")
    f.store("ptr", drive, "@DRIVE")
    f.store("ptr", tell, "@TELL")


def _can_go_on() -> str:
    """Write a function that returns whether a running state can reach the horizon or the end of its scope.

    The given state is run in place.
    """
    f = Function("internal fastcc i64 @can_go_on(ptr %S, i64 %actor, i64 %floor) nounwind")
    f.do("call fastcc void @make_room()")
    never, end, found = f.label(), f.label(), f.variable("i64", "0")
    _run(f, "%S", "%floor", never)
    f.store("i64", "1", found)
    with f.when(f.value("call fastcc i1 @may_stop(ptr %S, i64 %actor)")):
        f.jump(end)
    dead = add(f, "@SERIAL", 1)
    f.store(
        "i64",
        f.value(f"call fastcc i64 @first_step(ptr %S, i64 %actor, i64 %floor, i64 {dead})"),
        found,
    )
    f.jump(end)
    f.start(never)
    f.store("i64", "0", found)
    f.start(end)
    f.leave(f"i64 {f.load('i64', found)}")
    return f.text()


def _make_room() -> str:
    """Write a function that forgets dead decisions if there are many.

    The function is called when a search begins, and does nothing in a nested search.
    """
    f = Function("internal fastcc void @make_room() nounwind")
    is_wide = f.value(f"icmp ne i64 {f.load('i64', '@WIDE')}, 0")
    most = f.value(f"select i1 {is_wide}, i64 {FULL // 2}, i64 {FEW // 2}")
    many = f.value(f"icmp sgt i64 {f.load('i64', '@FILLED')}, {most}")
    outermost = f.value(f"icmp sle i64 {f.load('i64', '@SEARCHING')}, 1")
    with f.when(f.value(f"and i1 {many}, {outermost}")):
        deads = f.load("ptr", "@DEADS")
        size = f.value(f"select i1 {is_wide}, i64 {24 * PLACES}, i64 {24 * FEW}")
        f.do(f"call void @llvm.memset.p0.i64(ptr {deads}, i8 0, i64 {size}, i1 false)")
        f.store("i64", "0", "@FILLED")
        f.store("i64", "0", "@WIDE")
    f.leave("void")
    return f.text()


def _attempt() -> str:
    """Write a function that runs from the block at which a scope begins, if the run can close that scope.

    The function returns the block at which to continue. If the run cannot close the scope, the
    function returns NEVER. Most attempts succeed, so an attempt runs in place and is undone if it
    fails. During the attempt, the old state stays in the pool.
    """
    f = Function("internal fastcc i64 @attempt(ptr %S, i64 %body, i64 %actor) nounwind")
    found, outer = f.variable("i64"), f.load("ptr", "@BEFORE")
    tell, log_place = f.load("ptr", "@TELL"), f.variable("ptr")
    with _nested_search(f):
        f.store("ptr", tell, "@TELL")  # an attempt in place writes its log lines
        before = take(f)
        f.do(f"call fastcc void @sync(ptr {before}, ptr %S)")
        f.store("ptr", before, "@BEFORE")
        f.set_cell("%S", RESUME, f.value("trunc i64 %body to i32"))
        guard = f.cell("%S", GUARD)
        way = f.value(f"call fastcc i64 @can_go_on(ptr %S, i64 %actor, i64 {guard})")
        f.store("i64", way, found)
        f.store("ptr", outer, "@BEFORE")
        f.store("ptr", f.load("ptr", "@TELL"), log_place)
    way = f.load("i64", found)
    with f.when(has_failed(f, way)):
        f.leave(f"i64 {FAILED}")
    with f.when(f.value(f"icmp eq i64 {way}, 0")):
        f.do(f"call fastcc void @undo(ptr %S, ptr {before})")
        f.leave(f"i64 {NEVER}")
    f.store("ptr", f.load("ptr", log_place), "@TELL")
    with f.when(f.value(f"icmp sge i64 {f.cell('%S', SITE)}, 0")):
        f.leave(f"i64 {HALT}")
    back = f.cell("%S", RESUME)
    f.set_cell("%S", RESUME, str(HALT))
    f.leave(f"i64 {back}")
    return f.text()


def _possible(module: Module) -> str:
    """Write a function that returns whether a procedure, called on a copy, can run to its end or to the horizon."""
    program = module.program
    entries = module.numbers(tuple(each.entry for each in program.suspending))
    sizes = module.numbers(tuple(FRAME + each.locals for each in program.suspending))
    f = Function(
        "internal fastcc i64 @possible(ptr %given, i64 %procedure, ptr %arguments, i64 %count, "
        "i64 %actor) nounwind"
    )
    f.do("%S = call fastcc ptr @enter_root(ptr %given)")
    with f.when(f.value(f"icmp eq i64 %procedure, {program.main}")):
        failing(f, GIVEN_UP)
    found = f.variable("i64")
    with _nested_search(f):
        copy = take(f)
        f.do(f"call fastcc void @sync(ptr {copy}, ptr %S)")
        for cell, value in ((SITE, -1), (PLAYER, -1), (BOUND, 0), (OVER, 0)):
            f.set_cell(copy, cell, str(value))
        base = f.cell(copy, SP)
        end = f.value(f"add i64 {base}, {f.cell(sizes, '%procedure')}")
        with f.when(f.value(f"icmp sgt i64 {end}, {program.size}")):
            failing(f, GIVEN_UP)
        frame = f.at(copy, base)
        f.set_cell(frame, 0, str(HALT))
        f.set_cell(frame, 1, "0")
        size = f.value("shl i64 %count, 2")
        f.do(
            f"call void @llvm.memcpy.p0.p0.i64(ptr {f.at(frame, FRAME)}, ptr %arguments, "
            f"i64 {size}, i1 false)"
        )
        f.set_cell(copy, FP, f.value(f"trunc i64 {base} to i32"))
        f.set_cell(copy, SP, f.value(f"trunc i64 {end} to i32"))
        f.set_cell(copy, RESUME, f.load("i32", f.at(entries, "%procedure")))
        guard = f.value(f"add i64 {f.cell('%S', GUARD)}, 1")
        f.set_cell(copy, GUARD, f.value(f"trunc i64 {guard} to i32"))
        way = f.value(f"call fastcc i64 @can_go_on(ptr {copy}, i64 %actor, i64 -1)")
        f.store("i64", way, found)
    f.leave(f"i64 {f.load('i64', found)}")
    return f.text()


def _can_complete() -> str:
    """Write a function that returns whether a search finds a way to complete an offered option of the open decision."""
    f = Function("internal fastcc i64 @can_complete(ptr %S, i32 %option, i64 %dead) nounwind")
    never, end, found = f.label(), f.label(), f.variable("i64", "0")
    actor = f.cell("%S", PLAYER)
    copy = take(f)
    _step(f, copy, "%option", "0", never)
    f.store("i64", "1", found)
    with f.when(f.value(f"call fastcc i1 @may_stop(ptr {copy}, i64 {actor})")):
        f.jump(end)
    f.store("i64", "1", "@TRIED")
    way = f.value(f"call fastcc i64 @first_step(ptr {copy}, i64 {actor}, i64 0, i64 %dead)")
    f.store("i64", way, found)
    f.jump(end)
    f.start(never)
    f.store("i64", "0", found)
    f.start(end)
    f.leave(f"i64 {f.load('i64', found)}")
    return f.text()


def _keep_possible() -> str:
    """Write a function that keeps, among the `%count` options at `@OFFERS`, those that a search
    finds possible. It returns their number."""
    f = Function("internal fastcc i64 @keep_possible(ptr %given, i64 %count) nounwind")
    f.do("%S = call fastcc ptr @enter_root(ptr %given)")
    offers = f.load("ptr", "@OFFERS")
    kept, place = f.variable("i64", "0"), f.variable("i64", "0")
    f.store("i64", "%count", "@COUNT")
    with _nested_search(f):
        f.do("call fastcc void @make_room()")
        dead, site = add(f, "@SERIAL", 1), f.cell("%S", SITE)
        with f.loop() as (_, after):
            turn = f.label()
            here = f.load("i64", place)
            f.branch(f.value(f"icmp slt i64 {here}, %count"), turn, after)
            f.start(turn)
            f.store("i64", f.value(f"add i64 {here}, 1"), place)
            option = f.load("i32", f.at(offers, here))
            found = f.variable("i64")
            f.store("i64", "1", found)
            known = f.value(f"call fastcc i1 @is_settled(i64 {site}, i32 {option})")
            with f.when(f.value(f"xor i1 {known}, true")):
                way = f.value(f"call fastcc i64 @can_complete(ptr %S, i32 {option}, i64 {dead})")
                with f.when(has_failed(f, way)):
                    f.leave(f"i64 {FAILED}")
                f.store("i64", way, found)
            with f.when(f.value(f"icmp ne i64 {f.load('i64', found)}, 0")):
                count = f.load("i64", kept)
                f.set_cell(offers, count, option)
                f.store("i64", f.value(f"add i64 {count}, 1"), kept)
    f.leave(f"i64 {f.load('i64', kept)}")
    return f.text()


def _options(module: Module) -> str:
    """Write a function that writes the possible options of the open decision to `@OFFERS`, and returns their number.

    If `%known` is not negative, `@OFFERS` already contains `%known` options, and the function only
    searches among these.
    """
    f = Function("internal fastcc i64 @options(ptr %S, i64 %known) nounwind")
    count = f.variable("i64", "%known")
    with f.when(f.value("icmp slt i64 %known, 0")):
        f.store("i64", f.value("call fastcc i64 @list_all(ptr %S)"), count)
        with f.when(has_failed(f, f.load("i64", count))):
            f.leave(f"i64 {FAILED}")
    with f.when(is_searched(f, module)):
        found = f.value(f"call fastcc i64 @keep_possible(ptr %S, i64 {f.load('i64', count)})")
        f.store("i64", found, count)
    with f.when(f.value(f"icmp eq i64 {f.load('i64', count)}, 0")):
        failing(f, GIVEN_UP)
    f.leave(f"i64 {f.load('i64', count)}")
    return f.text()


def is_searched(f: Function, module: Module) -> str:
    """Write code that tests whether options of the open decision need a search. Return the name of the result."""
    searched = f.cell(_scope_table(module), f.cell("%S", SITE))
    return f.value(f"icmp sge i64 {f.cell('%S', GUARD)}, {searched}")
