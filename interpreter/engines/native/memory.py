"""Allocates the memory of native code, apart from the states that callers pass."""

from __future__ import annotations

import ctypes
import mmap
import os
from array import array
from typing import Final

from attrs import define

from rulewright.interpreter.engines.native.module import ADDRESSES, STATES
from rulewright.interpreter.engines.native.possibility_search import PLACES

LISTS: Final = 2**22 if ctypes.sizeof(ctypes.c_void_p) == 8 else 2**20
"""The number of cells for lists."""
OFFERS: Final = 2**18
"""The capacity for the options of all decisions of a search together."""


@define(eq=False)
class Memory:
    """The memory of native code, apart from its states. Unused parts take no physical memory."""

    whole: mmap.mmap
    addresses: array[int]
    offers: memoryview

    @classmethod
    def of(cls, stride: int) -> Memory:
        """Allocate the memory for states of `stride` bytes."""
        parts = {
            "BASE": 4 * LISTS,
            "OFFERS": 4 * OFFERS,
            "POOL": (STATES + 1)
            * stride,  # the last state is never used, but its marks are written
            "DEADS": 24 * PLACES,
            "MET": 8 * PLACES,
        }
        starts: dict[str, int] = {}
        end = 0
        for name, length in parts.items():
            starts[name] = end
            end += -(-length // 64) * 64
        # Forked processes must not share the memory.
        private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if os.name == "posix" else {}
        whole = mmap.mmap(-1, end, **private)
        view = memoryview(whole)
        first = ctypes.addressof(ctypes.c_char.from_buffer(whole))
        starts["TOP"] = starts["BASE"]
        starts["END"] = starts["BASE"] + 4 * LISTS
        starts["POOL_END"] = starts["POOL"] + STATES * stride
        starts["OFFERS_END"] = starts["OFFERS"] + 4 * OFFERS
        addresses = array("Q", (first + starts[name] for name in ADDRESSES))
        begin = starts["OFFERS"]
        return cls(whole, addresses, view[begin : begin + 4 * OFFERS].cast("i"))
