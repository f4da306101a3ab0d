"""States as bytes that are the same in all processes and on all machines.

A line of JSON says whose state it is and what chance will give; the cells follow in runs of equal numbers, and a
check sum of it all.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterator
from itertools import groupby
from typing import Any, TypeAlias

import attrs

from rulewright.interpreter.text.errors import BrokenStateError

Cells: TypeAlias = "array[int]"

FORMAT = "rulewright state 1"
_SUM = 8
_HALF = 2**31


@attrs.frozen
class Head:
    """The match that a state belongs to; `rules` is the fingerprint of the program."""

    players: int
    options: tuple[tuple[str, str], ...]
    rules: str
    key: int
    counter: int
    manual: bool


def packed(head: Head, cells: Cells) -> bytes:
    """A state as bytes."""
    told = {"format": FORMAT, **attrs.asdict(head), "options": dict(head.options)}
    line = json.dumps(told, separators=(",", ":")).encode("ascii") + b"\n"
    whole = line + b"".join(
        _number(sum(1 for _ in run)) + _number(2 * cell if cell >= 0 else -2 * cell - 1)
        for cell, run in groupby(cells)
    )
    return whole + _sum_of(whole)


def head_of(data: bytes) -> Head:
    """The head of the state in some bytes; bytes that hold no state or were changed are refused."""
    line, _, _ = data.partition(b"\n")
    try:
        told: Any = json.loads(line)
        is_one = isinstance(told, dict) and told.pop("format", "") == FORMAT
        head = Head(**told) if is_one else None
    except (ValueError, TypeError, RecursionError):
        head = None
    if head is None:
        raise BrokenStateError(f"this is not a {FORMAT!r}")
    if data[-_SUM:] != _sum_of(data[:-_SUM]):
        raise BrokenStateError("the state is not whole: its check sum does not fit")
    return attrs.evolve(head, options=tuple(dict(head.options).items()))


def cells_of(data: bytes, size: int) -> Cells:
    """The cells in the bytes of a state, which must be so many."""
    cells = array("i")
    numbers = _numbers(data[data.index(b"\n") + 1 : -_SUM])
    for count in numbers:
        number = next(numbers, -1)
        if number < 0 or number >= 2 * _HALF or not 0 < count <= size - len(cells):
            raise BrokenStateError("the state has other cells than these rules")
        cells.extend((-(number + 1) // 2 if number & 1 else number // 2,) * count)
    if len(cells) != size:
        raise BrokenStateError("the state has other cells than these rules")
    return cells


def _sum_of(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_SUM]


def _number(number: int) -> bytes:
    """Seven bits in each byte, the low ones first; the eighth says that more follow."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def _numbers(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0
