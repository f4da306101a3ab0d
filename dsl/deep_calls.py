"""Calls deeply recursive functions so that all their frames are in one chunk of memory.

CPython stores frames in chunks of 16 kilobytes. If the calls in a loop cross the end of a chunk,
each iteration requests the next chunk from the system and releases the chunk again. This caused
half of the system calls during the check of a large game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_SLOTS = 600_000
"""The number of slots in the frame of `call_deeply`. It makes CPython request a chunk of 8 megabytes (a power of two).

After this frame, 3 megabytes remain for the frames of the calls. Memory that is never used costs
nothing.
"""


def call_deeply(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a deeply recursive function, and return its result."""
    return call(*arguments, **named)


call_deeply.__code__ = call_deeply.__code__.replace(co_stacksize=_SLOTS)
