"""Makes native functions of numbers that Python calls directly, without ctypes.

A call through ctypes takes longer than a step of a small game. A built-in function of Python is a
method definition with the address of a C function. This C function is compiled here: it reads the
arguments, calls the native function and returns its result. If that is not possible, ctypes calls
the native function.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, Final

from attrs import define, field

from rulewright.interpreter.engines.engine import Cells, TakeOption
from rulewright.interpreter.engines.native.browser import IN_BROWSER
from rulewright.interpreter.engines.native.llvm import compile_module, link, with_symbols
from rulewright.interpreter.engines.native.module import FAILED

MOST: Final = 5
"""The maximum number of arguments of a function that is called directly."""
_KINDS: Final = {"p": ctypes.c_size_t, "q": ctypes.c_int64}
_FASTCALL: Final = 0x80
_LOCK: Final = Lock()
_USED: Final = (
    "PyLong_AsVoidPtr",
    "PyLong_AsLongLong",
    "PyLong_FromLongLong",
    "PyErr_BadArgument",
    "PyObject_GetBuffer",
    "PyBuffer_Release",
    "PyList_New",
    "PyList_SetItem",
    "PyList_Size",
    "PyList_GetItem",
    "PySequence_Repeat",
    "PyTuple_New",
    "PyTuple_SetItem",
    "Py_IncRef",
    "Py_DecRef",
    "_Py_NoneStruct",
)
"""The names from Python's C interface that are used: functions, and `None`."""


class _MethodDefinition(ctypes.Structure):
    """The `PyMethodDef` of Python's C interface."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def direct(address: int, takes: str) -> Callable[..., int]:
    """Return a callable for a native function that takes addresses (`p`) and 64-bit numbers (`q`).

    The callable returns a number and holds the GIL.
    """
    made = _make_callable(f"numbers_{len(takes)}", address) if len(takes) <= MOST else None
    return made or ctypes.PYFUNCTYPE(ctypes.c_int64, *map(_KINDS.__getitem__, takes))(address)


def direct_without_gil(address: int, takes: str) -> Callable[..., int]:
    """Return the same callable as `direct`, but one that releases the GIL."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *map(_KINDS.__getitem__, takes))(address)


@define(eq=False)
class Listing:
    """A native function that takes a state and numbers, writes numbers to a buffer, and returns their count.

    A call returns the written numbers as a list. If there are none, or if the function has failed,
    the call returns the function's result.
    """

    takes: str
    """The types of the arguments. The first is the address of the state."""
    size: int
    """The number of cells of a state."""
    call: Callable[..., int | list[int]] = field(init=False)
    _block: array[int] = field(init=False)
    """The address of the function and of its buffer.

    Each call reads this block, so other code can be linked at any time.
    """
    _plain: Callable[..., int] = field(init=False)
    _offers: memoryview = field(init=False)
    _lock: Lock = field(init=False, factory=Lock)

    def __attrs_post_init__(self) -> None:
        self._block = array("q", (0, 0, 4 * self.size))
        made = _make_callable(f"listing_{len(self.takes)}", self._block.buffer_info()[0])
        self.call = made or self._call_plain

    def link(self, address: int, offers: memoryview) -> None:
        """Make later calls use the function at `address`, which writes to the buffer `offers`."""
        where = ctypes.addressof(ctypes.c_char.from_buffer(offers))
        with self._lock:
            self._plain, self._offers = direct(address, self.takes), offers
            self._block[:2] = array("q", (address, where))

    def _call_plain(self, cells: Cells, *numbers: int) -> int | list[int]:
        address, size = cells.buffer_info()
        if size != self.size:
            raise TypeError("these cells are not a state of this game")
        with self._lock:
            known = self._plain(address, *numbers)
            return self._offers[:known].tolist() if known > 0 else known


@define(eq=False)
class Taking(Listing):
    """A native function that makes a step in a state and lists the options of the next decision."""

    take: TakeOption = field(init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.take = _make_callable("taking", self._block.buffer_info()[0]) or self._take

    def _take(
        self, cells: Cells, offered: list[int], choice: int
    ) -> tuple[Cells, list[int] | None] | None:
        if not any(option is choice for option in offered):
            return None
        after = cells[:]
        known = self.call(after, choice, 0)
        if known == FAILED:
            return None
        return after, known if isinstance(known, list) else None


def _make_callable(name: str, address: int) -> Callable[..., Any] | None:
    found = _definitions()
    if found is None:
        return None
    made: Callable[..., Any] = _new()(ctypes.byref(found[1][name]), address, None)
    return made


def _new() -> Any:
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return new


def _definitions() -> tuple[Any, dict[str, _MethodDefinition]] | None:
    with _LOCK:
        return _make_definitions()


@cache
def _make_definitions() -> tuple[Any, dict[str, _MethodDefinition]] | None:
    """Compile method definitions for each kind of function. Return them with the object that keeps their code alive."""
    if IN_BROWSER:  # a browser has no compiler
        return None
    try:
        symbols = {
            name: int(ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0)
            for name in (*_USED, "PyCFunction_NewEx")
        }
    except AttributeError:  # this is not CPython
        return None
    with_symbols(symbols)
    texts = {f"numbers_{count}": _of_numbers(count) for count in range(MOST + 1)}
    texts |= {f"listing_{count}": _of_listing(count) for count in (1, 3)}
    texts["taking"] = _of_taking()
    text = _DECLARED + "".join(
        f"define ptr @rulewright_{name}(ptr %self, ptr %arguments, i64 %count) {{{body}}}\n"
        for name, body in texts.items()
    )
    keeps, addresses = link(compile_module(text, 1), [f"rulewright_{name}" for name in texts])
    found = {
        name: _MethodDefinition(b"native", addresses[f"rulewright_{name}"], _FASTCALL, None)
        for name in texts
    }
    return keeps, found


_DECLARED: Final = """
declare ptr @PyLong_AsVoidPtr(ptr)
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare i32 @PyErr_BadArgument()
declare i32 @PyObject_GetBuffer(ptr, ptr, i32)
declare void @PyBuffer_Release(ptr)
declare ptr @PyList_New(i64)
declare i32 @PyList_SetItem(ptr, i64, ptr)
declare i64 @PyList_Size(ptr)
declare ptr @PyList_GetItem(ptr, i64)
declare ptr @PySequence_Repeat(ptr, i64)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
@_Py_NoneStruct = external global i8
define internal ptr @list(ptr %offers, i64 %count) {
 %made = call ptr @PyList_New(i64 %count)
 %none = icmp eq ptr %made, null
 br i1 %none, label %done, label %loop
loop:
 %n = phi i64 [0, %0], [%next, %loop]
 %place = getelementptr i32, ptr %offers, i64 %n
 %short = load i32, ptr %place
 %long = sext i32 %short to i64
 %item = call ptr @PyLong_FromLongLong(i64 %long)
 %put = call i32 @PyList_SetItem(ptr %made, i64 %n, ptr %item)
 %next = add i64 %n, 1
 %more = icmp slt i64 %next, %count
 br i1 %more, label %loop, label %done
done:
 ret ptr %made
}
"""
_BUFFER: Final = 256
"""A number of bytes greater than the size of Python's `Py_buffer`. The buffer begins with the
address; its length follows after 16 bytes."""


def _reads(first: int, count: int) -> str:
    return "".join(
        f"""
 %p{n} = getelementptr ptr, ptr %arguments, i64 {n}
 %o{n} = load ptr, ptr %p{n}
 %a{n} = call i64 @PyLong_AsLongLong(ptr %o{n})"""
        for n in range(first, count)
    )


def _check_count(count: int) -> str:
    return f"""
 %view = alloca [{_BUFFER} x i8], align 16
 %fits = icmp eq i64 %count, {count}
 br i1 %fits, label %fine, label %wrong
wrong:
 %ignored = call i32 @PyErr_BadArgument()
 ret ptr null
fine:
 %known = call ptr @PyLong_AsVoidPtr(ptr %self)"""


def _of_numbers(count: int) -> str:
    """Write a C function that calls the address in `self` with numbers."""
    given = ", ".join(f"i64 %a{n}" for n in range(count))
    return f"""{_check_count(count)}{_reads(0, count)}
 %result = call i64 %known({given})
 %found = call ptr @PyLong_FromLongLong(i64 %result)
 ret ptr %found
"""


def _words() -> str:
    """Write the code that reads the words to which `self` points."""
    return """
 %function = load ptr, ptr %known
 %w1 = getelementptr i64, ptr %known, i64 1
 %offers = load ptr, ptr %w1
 %w2 = getelementptr i64, ptr %known, i64 2
 %bytes = load i64, ptr %w2"""


def _call_text(given: str, refused: str) -> str:
    """Write the code that calls the function with the address of `%cells`. `refused` discards the results so far."""
    return f"""
 %got = call i32 @PyObject_GetBuffer(ptr %cells, ptr %view, i32 1)
 %has = icmp eq i32 %got, 0
 br i1 %has, label %open, label %closed
closed:{refused}
 ret ptr null
open:
 %address = load i64, ptr %view
 %v2 = getelementptr i64, ptr %view, i64 2
 %length = load i64, ptr %v2
 %same = icmp eq i64 %length, %bytes
 br i1 %same, label %go, label %refused
refused:
 call void @PyBuffer_Release(ptr %view)
 %other = call i32 @PyErr_BadArgument()
 br label %closed
go:
 %result = call i64 %function(i64 %address{given})
 call void @PyBuffer_Release(ptr %view)
 %some = icmp sgt i64 %result, 0
 br i1 %some, label %list, label %number"""


def _of_listing(count: int) -> str:
    """Write a C function that passes on the cells of an array. `self` contains the address of three words."""
    given = "".join(f", i64 %a{n}" for n in range(1, count))
    return f"""{_check_count(count)}{_words()}{_reads(1, count)}
 %cells = load ptr, ptr %arguments{_call_text(given, "")}
number:
 %alone = call ptr @PyLong_FromLongLong(i64 %result)
 ret ptr %alone
list:
 %made = call ptr @list(ptr %offers, i64 %result)
 ret ptr %made
"""


def _of_taking() -> str:
    """Write a C function that makes a step in a copy of the cells. It takes cells, a list of
    options and one of them."""
    return f"""{_check_count(3)}{_words()}
 %p2 = getelementptr ptr, ptr %arguments, i64 2
 %o2 = load ptr, ptr %p2
 %before = load ptr, ptr %arguments
 %p1 = getelementptr ptr, ptr %arguments, i64 1
 %offered = load ptr, ptr %p1
 %size = call i64 @PyList_Size(ptr %offered)
 %unknown = icmp slt i64 %size, 0
 br i1 %unknown, label %nothing, label %search
search:
 %n = phi i64 [0, %fine], [%next, %compare]
 %more = icmp slt i64 %n, %size
 br i1 %more, label %compare, label %undone
compare:
 %option = call ptr @PyList_GetItem(ptr %offered, i64 %n)
 %next = add i64 %n, 1
 %is = icmp eq ptr %option, %o2
 br i1 %is, label %found, label %search
undone:
 call void @Py_IncRef(ptr @_Py_NoneStruct)
 ret ptr @_Py_NoneStruct
found:
 %a2 = call i64 @PyLong_AsLongLong(ptr %o2)
 %cells = call ptr @PySequence_Repeat(ptr %before, i64 1)
 %lost = icmp eq ptr %cells, null
 br i1 %lost, label %nothing, label %copied
nothing:
 ret ptr null
copied:{_call_text(", i64 %a2, i64 0", " call void @Py_DecRef(ptr %cells)")}
number:
 %failed = icmp eq i64 %result, {FAILED}
 br i1 %failed, label %failing, label %end
failing:
 call void @Py_DecRef(ptr %cells)
 br label %undone
end:
 call void @Py_IncRef(ptr @_Py_NoneStruct)
 br label %both
list:
 %made = call ptr @list(ptr %offers, i64 %result)
 %unlisted = icmp eq ptr %made, null
 br i1 %unlisted, label %closed, label %both
both:
 %second = phi ptr [@_Py_NoneStruct, %end], [%made, %list]
 %pair = call ptr @PyTuple_New(i64 2)
 %put1 = call i32 @PyTuple_SetItem(ptr %pair, i64 0, ptr %cells)
 %put2 = call i32 @PyTuple_SetItem(ptr %pair, i64 1, ptr %second)
 ret ptr %pair
"""
