"""Records which facts about things are used: the number of things of a type, the rows of a type,
and the values of columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_recorded: ContextVar[set[str] | None] = ContextVar("noted", default=None)


def add_uses(what: Iterable[str]) -> None:
    """Record that the caller has used these facts.

    The name of a type stands for the number of its things, and `.name` for the contents of a
    column.
    """
    memo = _recorded.get()
    if memo is not None:
        memo.update(what)


@contextmanager
def recording_uses(memo: set[str]) -> Iterator[None]:
    """Collect in `memo` all facts that are used in a `with` block."""
    before = _recorded.set(memo)
    try:
        yield
    finally:
        _recorded.reset(before)
