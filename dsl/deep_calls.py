"""Makes deep calls with their frames in one piece of memory.

CPython stores frames in pieces of 16 kilobytes. A loop of calls across the end of a piece requests
the next piece from the system, and releases it, at every turn. This caused half of the system calls
during the check of a large game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_SLOTS = 600_000
"""This number of slots requests 8 megabytes (a power of two), of which 3 stay free; unused memory costs nothing."""


def deeply(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Make a deeply recursive call, and return its result."""
    return call(*arguments, **named)


deeply.__code__ = deeply.__code__.replace(co_stacksize=_SLOTS)
