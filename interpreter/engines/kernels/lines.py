"""Defines how log lines are stored in a buffer of 64-bit words. Native code writes the buffer, and kernels read it.

The first word is the number of words that follow. Each line consists of its message, its audience,
the number of its arguments, and the arguments. A number is stored as 0 followed by the number. A
list is stored as its length plus 1, followed by its numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from rulewright.interpreter.text.faults import Value

Line: TypeAlias = tuple[int, tuple[Value, ...], int]

ROOM: Final = 16_384
"""The number of words for the lines of a step."""
SPARE: Final = 256
"""The number of words reserved for the fixed-length parts of a line."""


def put_lines(buffer: array[int], lines: Sequence[Line]) -> None:
    """Write lines to a buffer."""
    words: list[int] = []
    for message, arguments, audience in lines:
        words += (message, audience, len(arguments))
        for argument in arguments:
            if isinstance(argument, int):
                words += (0, argument)
            else:
                numbers = [number for number in argument if isinstance(number, int)]
                words += (1 + len(numbers), *numbers)
    buffer[: 1 + len(words)] = array("q", [len(words), *words])


def lines_in(buffer: array[int]) -> Iterator[Line]:
    """Yield the lines in a buffer."""
    place, end = 1, 1 + buffer[0]
    while place < end:
        message, audience, count = buffer[place : place + 3]
        place += 3
        arguments: list[Value] = []
        for _ in range(count):
            length = buffer[place] - 1
            first = place + 1
            place = first + abs(length)
            arguments.append(buffer[first] if length < 0 else tuple(buffer[first:place]))
        yield message, tuple(arguments), audience
