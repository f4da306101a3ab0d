"""Packs states as bytes that are the same in all processes and on all machines.

The bytes begin with a line of JSON that identifies the rules. The numbers of chance follow, then
the parts of the state that differ from the first state, and a checksum of all bytes before it.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from array import array
from typing import Any, TypeAlias

import attrs

from rulewright.dsl.ir import SP, Program
from rulewright.interpreter.text.errors import BrokenStateError

Cells: TypeAlias = "array[int]"

FORMAT = "rulewright state 2"
_SUM = 8
_CHANCE = struct.Struct("<QQ?I")
"""The key and the counter of the generator, whether chance is manual, and the number of used bytes of the state."""
_PLACE = struct.Struct("<I")
_LARGE, _SMALL = 1024, 64
"""Parts of the larger size are compared. A part that differs is compared again in parts of the
smaller size, which are stored."""


@attrs.frozen
class Head:
    """The variant and the numbers of chance of a packed state. `rules` is the fingerprint of the program."""

    players: int
    options: tuple[tuple[str, str], ...]
    rules: str
    key: int
    counter: int
    manual: bool


@attrs.frozen(eq=False)
class Packer:
    """Packs and unpacks the states of one program."""

    program: Program
    line: bytes
    """The line that identifies the rules."""
    first: bytes
    """The first state, before any rule has run."""

    @classmethod
    def of(cls, program: Program, rules: str, first: Cells) -> Packer:
        """Return the packer for a program, given the fingerprint of the rules."""
        fields = {
            "format": FORMAT,
            "players": program.players,
            "options": dict(program.options),
            "rules": rules,
        }
        line = json.dumps(fields, separators=(",", ":")).encode("ascii") + b"\n"
        return cls(program, line, _bytes_of(first))

    def pack(self, cells: Cells, key: int, counter: int, manual: bool) -> bytes:
        """Return a state as bytes. Cells from the stack pointer on are 0, and are left out."""
        used = _bytes_of(cells[: cells[SP]])
        parts = [self.line, _CHANCE.pack(key, counter, manual, len(used))]
        first = self.first
        for begin in range(0, len(used), _LARGE):
            end = min(begin + _LARGE, len(used))
            if used[begin:end] == first[begin:end]:
                continue
            for place in range(begin, end, _SMALL):
                part = used[place : min(place + _SMALL, end)]
                if part != first[place : place + len(part)]:
                    parts += (_PLACE.pack(place), part)
        whole = b"".join(parts)
        return whole + _sum_of(whole)

    def cells_of(self, data: bytes) -> Cells:
        """Return the cells stored in the bytes of a state. The caller has checked that the head fits the program."""
        begin = data.index(b"\n") + 1 + _CHANCE.size
        used = _CHANCE.unpack_from(data, begin - _CHANCE.size)[-1]
        end = len(data) - _SUM
        if used > len(self.first) or used % 4:
            raise _other_cells()
        found = bytearray(self.first[:used].ljust(len(self.first), b"\0"))
        while begin < end:
            (place,) = _PLACE.unpack_from(data, begin) if begin + 4 <= end else (used,)
            part = data[begin + 4 : min(begin + 4 + _SMALL, begin + 4 + used - place, end)]
            if place % _SMALL or not part:
                raise _other_cells()
            found[place : place + len(part)] = part
            begin += 4 + len(part)
        cells = array("i")
        cells.frombytes(bytes(found))
        if sys.byteorder == "big":
            cells.byteswap()
        if 4 * cells[SP] != used:
            raise _other_cells()
        return cells


def head_of(data: bytes) -> Head:
    """Read the head of a packed state. Raise an error if the bytes contain no state or were changed."""
    line, _, rest = data.partition(b"\n")
    try:
        fields: Any = json.loads(line)
        is_one = isinstance(fields, dict) and fields.pop("format", "") == FORMAT
        key, counter, manual, _ = _CHANCE.unpack_from(rest) if is_one else (0, 0, False, 0)
        head = Head(**fields, key=key, counter=counter, manual=manual) if is_one else None
    except (ValueError, TypeError, RecursionError, struct.error):
        head = None
    if head is None:
        raise BrokenStateError(f"this is not a {FORMAT!r}")
    if data[-_SUM:] != _sum_of(data[:-_SUM]):
        raise BrokenStateError("the state is damaged: its checksum does not match")
    return attrs.evolve(head, options=tuple(dict(head.options).items()))


def _bytes_of(cells: Cells) -> bytes:
    if sys.byteorder == "big":
        cells = cells[:]
        cells.byteswap()
    return cells.tobytes()


def _other_cells() -> BrokenStateError:
    return BrokenStateError("the state does not have the cells of these rules")


def _sum_of(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_SUM]
