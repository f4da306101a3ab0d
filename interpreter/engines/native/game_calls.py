"""Writes LLVM IR that answers the calls of a search to a game. `native/kernel.py` describes the calls.

All functions work on the first state of the pool. If a step is impossible, the function fails, and
another engine runs the trial.
"""

from __future__ import annotations

from typing import Final

from rulewright.dsl.ir import SP
from rulewright.interpreter.engines.native.kernel import GAME_CALLS, WORDS
from rulewright.interpreter.engines.native.llvm_text import Function
from rulewright.interpreter.engines.native.log_buffer import heard, listen
from rulewright.interpreter.engines.native.module import FAILED, GIVEN_UP, Module
from rulewright.interpreter.engines.native.results import points_to
from rulewright.interpreter.engines.native.runtime import (
    SMALL,
    copy,
    copy_small,
    failing,
    has_failed,
)

NAMES: Final = tuple(f"rulewright_game_{name}" for name in GAME_CALLS)
"""The names of the functions, in the order in which a kernel finds them."""
WHY: Final = "rulewright_game_why"
"""The name of the function that returns why another function has failed."""


def functions(module: Module) -> list[str]:
    """Write the functions."""
    return [
        _load(module),
        _save(module),
        _advance(),
        _options(),
        _play(),
        _points(module),
        _ending(),
        _has(module),
        _tell(module),
        _why(),
    ]


def _call_function(name: str) -> Function:
    return Function(f"i64 @rulewright_game_{name}(ptr %T, i64 %number)")


def _array(f: Function, name: str) -> str:
    return f.load("ptr", f.at("%T", WORDS[name], "i64"))


def _stored_state(f: Function, module: Module) -> str:
    """Write code that computes the address of a stored state. Return the name of the address."""
    return f.at(_array(f, "states"), f.value(f"mul i64 %number, {module.program.size}"))


def _load(module: Module) -> str:
    f = _call_function("load")
    f.do("call fastcc void @begin()")
    work = f.value(f"call fastcc ptr @enter(ptr {_stored_state(f, module)})")
    f.store("ptr", work, f.at("%T", WORDS["work"], "i64"))
    f.leave("i64 0")
    return f.text()


def _save(module: Module) -> str:
    f = _call_function("save")
    kept, work, size = _stored_state(f, module), f.load("ptr", "@POOL"), module.program.size
    if size <= SMALL:
        copy_small(f, size, kept, work)
        f.leave("i64 0")
        return f.text()
    before, now = f.cell(kept, SP), f.cell(work, SP)
    copy(f, kept, work, f.value(f"shl i64 {now}, 2"))
    with f.when(f.value(f"icmp sgt i64 {before}, {now}")):
        rest = f.value(f"shl i64 {f.value(f'sub i64 {before}, {now}')}, 2")
        f.do(f"call void @llvm.memset.p0.i64(ptr {f.at(kept, now)}, i8 0, i64 {rest}, i1 false)")
    f.leave("i64 0")
    return f.text()


def _advance() -> str:
    f = _call_function("advance")
    f.do("call fastcc void @begin()")
    work = f.load("ptr", "@POOL")
    f.do(f"call fastcc void @answer(ptr {work}, i32 {f.value('trunc i64 %number to i32')})")
    with f.when(has_failed(f, f.value(f"call fastcc i64 @go(ptr {work}, i64 -1)"))):
        f.leave(f"i64 {FAILED}")
    f.leave("i64 0")
    return f.text()


def _options() -> str:
    f = _call_function("options")
    known = f.load("i64", "@KNOWN")
    f.do("call fastcc void @begin()")
    given = f.value(f"select i1 {f.value(f'icmp sgt i64 {known}, 0')}, i64 {known}, i64 -1")
    work = f.load("ptr", "@POOL")
    count = f.value(f"call fastcc i64 @options(ptr {work}, i64 {given})")
    with f.when(has_failed(f, count)):
        f.leave(f"i64 {FAILED}")
    with f.when(f.value(f"icmp sle i64 {count}, %number")):
        size = f.value(f"shl i64 {count}, 2")
        copy(f, _array(f, "offers"), f.load("ptr", "@OFFERS"), size)
    f.leave(f"i64 {count}")
    return f.text()


def _play() -> str:
    f = _call_function("play")
    f.do("call fastcc void @begin()")
    work = f.load("ptr", "@POOL")
    driven = _array(f, "driven")
    f.leave(f"i64 {f.value(f'call fastcc i64 @play(ptr {work}, ptr {driven})')}")
    return f.text()


def _points(module: Module) -> str:
    f = _call_function("points")
    f.do("call fastcc void @begin()")
    points_to(f, module, f.load("ptr", "@POOL"), _array(f, "totals"))
    f.leave("i64 0")
    return f.text()


def _ending() -> str:
    f = _call_function("ending")
    work, won, totals = f.load("ptr", "@POOL"), _array(f, "won"), _array(f, "totals")
    found_result = f"call fastcc i64 @told(ptr {work}, ptr {won}, ptr {totals}, ptr null, i64 0)"
    f.leave(f"i64 {f.value(found_result)}")
    return f.text()


def _has(module: Module) -> str:
    f = _call_function("has")
    f.do("call fastcc void @begin()")
    found = f.value(f"call fastcc i64 @has_option(ptr {f.load('ptr', '@POOL')}, i64 %number)")
    f.leave(f"i64 {found}")
    return f.text()


def _tell(module: Module) -> str:
    f = _call_function("tell")
    f.do("call fastcc void @begin()")
    if not module.tells:
        failing(f, GIVEN_UP)
        return f.text()
    work, room = f.load("ptr", "@POOL"), _array(f, "log_lines")
    f.do(f"call fastcc void @answer(ptr {work}, i32 {f.value('trunc i64 %number to i32')})")
    listen(f, room)
    with f.when(has_failed(f, f.value(f"call fastcc i64 @go(ptr {work}, i64 -1)"))):
        f.leave(f"i64 {FAILED}")
    heard(f, room)
    f.leave("i64 0")
    return f.text()


def _why() -> str:
    f = Function(f"i64 @{WHY}()")
    f.leave(f"i64 {f.load('i64', '@ERR')}")
    return f.text()
