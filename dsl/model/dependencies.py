"""Notes which facts about things are used: the number of things of a type, rows, column values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_noted: ContextVar[set[str] | None] = ContextVar("noted", default=None)


def is_asked(what: Iterable[str]) -> None:
    """Note a use of the number of things of a type (its name), or of the contents of a column (`.name`)."""
    noted = _noted.get()
    if noted is not None:
        noted.update(what)


@contextmanager
def asking(noted: set[str]) -> Iterator[None]:
    """Collect all facts used in a `with` block."""
    before = _noted.set(noted)
    try:
        yield
    finally:
        _noted.reset(before)
