"""Writes LLVM IR that writes log lines to a buffer, in the format of `rulewright.interpreter.engines.kernels.lines`.

While `@TELL` is an address, each line is written there. A search writes no lines. If an attempt in
place (`@attempt`) is undone, its lines are removed.
"""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.interpreter.engines.kernels.lines import ROOM, SPARE
from rulewright.interpreter.engines.native.expressions import Writer
from rulewright.interpreter.engines.native.llvm_text import Function
from rulewright.interpreter.engines.native.representation import LIST, NUMBER


def note_line(writer: Writer, line: ir.Log) -> None:
    """Write code that appends a line to the buffer at `@TELL`."""
    f, module = writer.function, writer.module
    if 3 + 2 * len(line.arguments) > SPARE:
        writer.give_up()
        return
    here = f.variable("ptr")
    f.store("ptr", f.load("ptr", "@TELL"), here)
    _check_room(writer, here, "0")
    _put(f, here, str(line.message))
    _put(f, here, writer.number(line.audience).text)
    _put(f, here, str(len(line.arguments)))
    for argument in line.arguments:
        kind = module.kinds.of(argument, writer.plain)
        if kind == NUMBER:
            number = writer.number(argument).text
            _put(f, here, "0")
            _put(f, here, number)
        elif kind == LIST:
            listed = writer.list_value(argument)
            _check_room(writer, here, listed.length)
            _put(f, here, f.value(f"add i64 {listed.length}, 1"))
            with f.count(listed.length) as place:
                _put(f, here, f.cell(listed.items, place))
        else:
            writer.give_up()
    f.store("ptr", f.load("ptr", here), "@TELL")


def _check_room(writer: Writer, here: str, more: str) -> None:
    f = writer.function
    end = f.at(f.load("ptr", here), more, "i64")
    writer.give_up_if(f.value(f"icmp ugt ptr {end}, {f.load('ptr', '@TELL_END')}"))


def _put(f: Function, here: str, word: str) -> None:
    place = f.load("ptr", here)
    f.store("i64", word, place)
    f.store("ptr", f.at(place, 1, "i64"), here)


def listen(f: Function, room: str) -> None:
    """Write code that opens a buffer of `ROOM` words for lines. The first word of the buffer is the
    length of the lines."""
    f.store("ptr", f.at(room, 1, "i64"), "@TELL")
    f.store("ptr", f.at(room, ROOM - SPARE, "i64"), "@TELL_END")


def heard(f: Function, room: str) -> None:
    """Write code that closes the buffer."""
    end, begin = f.load("ptr", "@TELL"), f.at(room, 1, "i64")
    numbers = [f.value(f"ptrtoint ptr {each} to i64") for each in (end, begin)]
    size = f.value(f"sub i64 {numbers[0]}, {numbers[1]}")
    f.store("i64", f.value(f"lshr i64 {size}, 3"), room)
    f.store("ptr", "null", "@TELL")
