"""Links one WebAssembly object file to a module that a browser can load into the memory of Python.

The object must be position-independent. The module follows Emscripten's convention for dynamic
linking, so `ctypes.CDLL` loads it in Pyodide. The addresses of its data and functions begin at the
imported globals `__memory_base` and `__table_base`. Its first section (`dylink.0`) contains the
size of both. The indexes of functions, types and globals are the same as in the object. Only data,
and functions whose address is used, are placed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from attrs import define, field

HEAD: Final = b"\0asm\1\0\0\0"
_CUSTOM, _TYPES, _IMPORTS, _FUNCTIONS, _EXPORTS, _ELEMENTS, _CODE, _DATA = 0, 1, 2, 3, 7, 9, 10, 11
_FUNCTION, _TABLE, _MEMORY, _GLOBAL = range(4)
"""The kinds of imports."""
_OF_FUNCTION, _OF_DATA, _OF_GLOBAL, _OF_SECTION, _OF_TAG, _OF_TABLE = range(6)
"""The kinds of symbols."""
_LOCAL, _HIDDEN, _UNDEFINED, _NAMED, _ABSOLUTE = 2, 4, 16, 64, 512
"""The flags of symbols."""
_SEGMENTS, _SYMBOLS = 5, 8
"""The parts of the section `linking`."""
_KEPT: Final = frozenset({0, 6, 7, 13, 20})
"""Relocations of an index that does not change: of a function, a type, a global, a tag or a table."""
_IN_TABLE: Final = frozenset({2, 12})
"""Relocations of an index in the table of functions: in data, and relative to the table in code."""
_IN_MEMORY: Final = frozenset({5, 11})
"""Relocations of an address: in data, and relative to the memory base in code."""
_START: Final = "__wasm_apply_data_relocs"
"""The function that adds the bases to addresses in data. The loader of the module calls it."""
_I32, _GET, _END, _ADD, _STORE, _CONST = 0x7F, 0x23, 0x0B, 0x6A, 0x36, 0x41


class LinkError(Exception):
    """Raised for an object that this linker cannot link."""


@define
class _Bytes:
    """Reads numbers one after another."""

    data: bytes
    at: int = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def signed_number(self) -> int:
        begin = self.at
        found, bits = self.number(), 7 * (self.at - begin)
        return found - (1 << bits) if found >> bits - 1 else found

    def take(self, length: int) -> bytes:
        self.at += length
        return self.data[self.at - length : self.at]

    def text(self) -> str:
        return self.take(self.number()).decode()

    @property
    def more(self) -> bool:
        return self.at < len(self.data)


class _Symbol(NamedTuple):
    kind: int
    flags: int
    item: int
    name: str = ""
    offset: int = 0


class _Relocation(NamedTuple):
    kind: int
    offset: int
    symbol: int
    addend: int


class _Segment(NamedTuple):
    data: bytes
    begin: int
    """The offset at which the bytes of the segment begin in the section."""
    address: int


@define(eq=False)
class _Object:
    """The parts of an object file."""

    sections: dict[int, bytes] = field(factory=dict)
    numbers: list[int] = field(factory=list)
    """The kinds of the sections, in order."""
    customs: dict[str, bytes] = field(factory=dict)
    symbols: list[_Symbol] = field(factory=list)
    alignments: list[int] = field(factory=list)

    @classmethod
    def of(cls, data: bytes) -> _Object:
        if not data.startswith(HEAD):
            raise LinkError("this is not a WebAssembly object")
        found, given = cls(), _Bytes(data, len(HEAD))
        while given.more:
            number = given.byte()
            part = given.take(given.number())
            found.numbers.append(number)
            if number == _CUSTOM:
                inside = _Bytes(part)
                name = inside.text()
                found.customs[name] = part[inside.at :]
            else:
                found.sections[number] = part
        found._read_linking(_Bytes(found.customs.get("linking", b"\2")))
        return found

    def _read_linking(self, given: _Bytes) -> None:
        if given.number() != 2:
            raise LinkError("this object has an unknown version")
        while given.more:
            part = given.byte()
            inside = _Bytes(given.take(given.number()))
            if part == _SEGMENTS:
                for _ in range(inside.number()):
                    inside.text()
                    self.alignments.append(inside.number())
                    inside.number()
            elif part == _SYMBOLS:
                self.symbols = [_symbol(inside) for _ in range(inside.number())]

    def relocations(self, section: int) -> Iterator[_Relocation]:
        name = {_CODE: "reloc.CODE", _DATA: "reloc.DATA"}[section]
        given = _Bytes(self.customs.get(name, b"\0\0"))
        if given.more and given.number() is not None:
            for _ in range(given.number()):
                kind, offset, index = given.byte(), given.number(), given.number()
                has_addend = kind in (3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23)
                yield _Relocation(kind, offset, index, given.signed_number() if has_addend else 0)

    def segments(self) -> Iterator[_Segment]:
        given = _Bytes(self.sections.get(_DATA, b"\0"))
        end = 0
        for number in range(given.number()):
            if given.number() != 0 or given.byte() != _CONST:
                raise LinkError("this object has data of an unknown kind")
            given.signed_number()
            if given.byte() != _END:
                raise LinkError("this object has data at an unknown place")
            length = given.number()
            unit = 1 << self.alignments[number]
            address = -(-end // unit) * unit
            yield _Segment(given.take(length), given.at - length, address)
            end = address + length


def _symbol(given: _Bytes) -> _Symbol:
    kind, flags = given.byte(), given.number()
    if kind == _OF_DATA:
        name = given.text()
        if flags & _UNDEFINED:
            return _Symbol(kind, flags, -1, name)
        index, offset, _ = given.number(), given.number(), given.number()
        return _Symbol(kind, flags, index, name, offset)
    index = given.number()
    is_named = kind != _OF_SECTION and (not flags & _UNDEFINED or flags & _NAMED)
    return _Symbol(kind, flags, index, given.text() if is_named else "")


def section_of(module: bytes, name: str) -> bytes:
    """Return the bytes of a custom section."""
    return _Object.of(module).customs[name]


def with_section(module: bytes, name: str, data: bytes) -> bytes:
    """Add a custom section to a module. Only Python reads it."""
    part = _name_bytes(name) + data
    return module + bytes([_CUSTOM]) + _number(len(part)) + part


def linked_module(data: bytes) -> bytes:
    """Link an object to a module. All functions that are neither internal nor hidden are exported."""
    given = _Object.of(data)
    segments = [*given.segments()]
    imports, globals_ = _imports(given.sections.get(_IMPORTS, b"\0"))
    table: dict[int, int] = {}
    """For each function whose address is used, its index in the table."""
    code = bytearray(given.sections[_CODE])
    for each in given.relocations(_CODE):
        if each.kind not in _KEPT:
            value = _value(each, given.symbols, segments, table)
            code[each.offset : each.offset + 5] = _padded_number(value)
    memory = bytearray(segments[-1].address + len(segments[-1].data) if segments else 0)
    for segment in segments:
        memory[segment.address : segment.address + len(segment.data)] = segment.data
    fixed = []
    for each in given.relocations(_DATA):
        here = next(s for s in reversed(segments) if s.begin <= each.offset)
        place = here.address + each.offset - here.begin
        value = _value(each, given.symbols, segments, table)
        memory[place : place + 4] = bytes(4)
        fixed.append((place, value, "__memory_base" if each.kind in _IN_MEMORY else "__table_base"))
    exports = [
        (symbol.name, symbol.item)
        for symbol in given.symbols
        if symbol.kind == _OF_FUNCTION and not symbol.flags & (_LOCAL | _HIDDEN | _UNDEFINED)
    ]
    bodies = _Bytes(bytes(code))
    count = bodies.number()
    types = _Bytes(given.sections[_TYPES])
    many_types = types.number()
    declared = _Bytes(given.sections[_FUNCTIONS])
    many = declared.number()
    functions = [symbol.item for symbol in given.symbols if symbol.kind == _OF_FUNCTION]
    exports.append((_START, max(functions, default=-1) + 1))
    start = _start(fixed, globals_)
    room = b"".join(map(_number, (len(memory), max(given.alignments, default=0), len(table), 0)))
    parts = {
        _CUSTOM: _name_bytes("dylink.0") + b"\1" + _number(len(room)) + room,
        _TYPES: _number(many_types + 1) + types.data[types.at :] + b"\x60\0\0",
        _IMPORTS: imports,
        _FUNCTIONS: _number(many + 1) + declared.data[declared.at :] + _number(many_types),
        _EXPORTS: _number(len(exports)) + b"".join(_export(*each) for each in exports),
        _ELEMENTS: _elements(table, globals_),
        _CODE: _number(count + 1) + bytes(code[bodies.at :]) + _number(len(start)) + start,
        _DATA: _in_one(bytes(memory), globals_),
    }
    return HEAD + b"".join(
        bytes([number]) + _number(len(part)) + part for number, part in parts.items() if part
    )


def _value(
    each: _Relocation, symbols: list[_Symbol], segments: list[_Segment], table: dict[int, int]
) -> int:
    """Return the number that a relocation writes: an address, or an index in the table, relative to its base."""
    symbol = symbols[each.symbol]
    if symbol.flags & _UNDEFINED:
        raise LinkError(f"this object needs {symbol.name}")
    if each.kind in _IN_TABLE:
        return table.setdefault(symbol.item, len(table))
    if each.kind in _IN_MEMORY:
        return segments[symbol.item].address + symbol.offset + each.addend
    raise LinkError(f"this object has a relocation of the unknown kind {each.kind}")


def _imports(part: bytes) -> tuple[bytes, Mapping[str, int]]:
    """Return the imports of the linked module, and the index of each imported global. The memory
    gets the name that the loader expects."""
    given, found = _Bytes(part), []
    globals_: dict[str, int] = {}
    for _ in range(given.number()):
        module, name, kind = given.text(), given.text(), given.byte()
        begin = given.at
        if kind == _FUNCTION or module != "env":
            raise LinkError(f"this object needs {name}")
        if kind == _GLOBAL:
            globals_[name] = len(globals_)
            given.take(2)
        else:
            if kind == _TABLE:
                given.byte()
            is_bounded = given.byte() & 1
            given.number()
            if is_bounded:
                given.number()
        name = "memory" if kind == _MEMORY else name
        found.append(
            _name_bytes(module) + _name_bytes(name) + bytes([kind]) + part[begin : given.at]
        )
    for name in ("__memory_base", "__table_base"):
        if name not in globals_:
            globals_[name] = len(globals_)
            found.append(_name_bytes("env") + _name_bytes(name) + bytes([_GLOBAL, _I32, 0]))
    if not any(_name_bytes("__indirect_function_table") in each for each in found):
        table = bytes([_TABLE, 0x70, 0, 0])
        found.append(_name_bytes("env") + _name_bytes("__indirect_function_table") + table)
    return _number(len(found)) + b"".join(found), globals_


def _start(fixed: list[tuple[int, int, str]], globals_: Mapping[str, int]) -> bytes:
    """Write the body of the function that adds the bases to addresses in data."""
    found = bytearray(b"\0")
    for place, value, base in fixed:
        found += bytes([_GET]) + _number(globals_["__memory_base"])
        found += bytes([_GET]) + _number(globals_[base])
        found += bytes([_CONST]) + _signed_bytes(value) + bytes([_ADD, _STORE, 2]) + _number(place)
    return bytes([*found, _END])


def _elements(table: Mapping[int, int], globals_: Mapping[str, int]) -> bytes:
    if not table:
        return b""
    base = bytes([_GET]) + _number(globals_["__table_base"]) + bytes([_END])
    return b"\1\0" + base + _number(len(table)) + b"".join(map(_number, table))


def _in_one(memory: bytes, globals_: Mapping[str, int]) -> bytes:
    """Write data as a single segment. Zeros at its end are left out."""
    memory = memory.rstrip(b"\0")
    base = bytes([_GET]) + _number(globals_["__memory_base"]) + bytes([_END])
    return b"\1\0" + base + _number(len(memory)) + memory if memory else b""


def _export(name: str, index: int) -> bytes:
    return _name_bytes(name) + bytes([_FUNCTION]) + _number(index)


def _name_bytes(name: str) -> bytes:
    return _number(len(name)) + name.encode()


def _number(value: int) -> bytes:
    found = bytearray()
    while value >= 128:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def _signed_bytes(value: int) -> bytes:
    found = bytearray()
    while not -64 <= value < 64:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value & 127])


def _padded_number(value: int) -> bytes:
    """Write a number in five bytes, which is the space that the object reserves for it."""
    return bytes([*(value >> shift & 127 | 128 for shift in (0, 7, 14, 21)), value >> 28 & 127])
