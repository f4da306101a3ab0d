"""Notes which facts about things are used: the number of things of a type, rows, values of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_recorded: ContextVar[set[str] | None] = ContextVar("noted", default=None)


def is_asked(what: Iterable[str]) -> None:
    """Note a use of the number of things of a type (its name), or of the contents of a column (`.name`)."""
    memo = _recorded.get()
    if memo is not None:
        memo.update(what)


@contextmanager
def asking(memo: set[str]) -> Iterator[None]:
    """Collect in `memo` all facts that are used in a `with` block."""
    before = _recorded.set(memo)
    try:
        yield
    finally:
        _recorded.reset(before)
