"""Pause the garbage collector while a game is read, checked or compiled."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the garbage collector in a `with` block, because compiling leaves little garbage and a
    collection is slow.
    """
    usual = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if usual:
            if not _is_frozen[0]:
                # All new objects are now treated as old, so that the collector does not search them now.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
            _collect_old()


_is_frozen = [False]
"""Whether `freeze` was called. (`gc.get_freeze_count` would count all frozen objects one by one.)"""


def freeze() -> None:
    """Exclude all current objects from every later collection."""
    gc.freeze()
    _is_frozen[0] = True


FEW = 6_000_000
"""The minimum number of memory blocks, about 600 MB, above which old objects are collected."""
_many = [FEW]
"""The number of memory blocks above which old objects are collected next."""


def _collect_old() -> None:
    """Collect garbage among all objects if the number of memory blocks has doubled. Python itself
    collects old objects only rarely.
    """
    if sys.getallocatedblocks() > _many[0]:
        gc.collect()
        _many[0] = max(FEW, 2 * sys.getallocatedblocks())
