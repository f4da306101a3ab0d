"""A process that builds many programs keeps only the memory of those in use."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from rulewright.dsl.loading import collection


class Ring:
    """An object that refers to itself, as programs do, so that only the garbage collector frees it."""

    def __init__(self) -> None:
        self.whole = self


def _built_and_left() -> weakref.ref[Ring]:
    with collection.no_collection():
        ring = Ring()
    return weakref.ref(ring)


@pytest.fixture
def _nothing_frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in the process of a user, in which all objects of a new program count as old."""
    monkeypatch.setattr(collection, "_is_frozen", [False])
    gc.unfreeze()
    yield
    gc.freeze()


def test_unused_cycles_are_collected_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.collect(0)  # no collection of young objects runs in between
    monkeypatch.setattr(collection, "FEW", 0)
    monkeypatch.setattr(collection, "_many", [0])
    left = _built_and_left()
    assert left() is not None  # it was still in use when its construction ended
    monkeypatch.setattr(collection, "_many", [0])
    _built_and_left()
    assert left() is None


@pytest.mark.usefixtures("_nothing_frozen")
def test_nobody_looks_as_long_as_there_is_little() -> None:
    left = _built_and_left()
    _built_and_left()
    assert left() is not None
