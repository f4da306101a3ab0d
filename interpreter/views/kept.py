"""Caches parts of the pictures of a match, so that equal parts are made only once.

The key of an entry contains the `id`s of the objects that the part was made from. Most of these
objects are the same for all viewers and in many states. An entry keeps its objects alive, so that
no other object gets the same `id`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class Kept:
    """The entries that were used for the current state or the previous state. Older entries are dropped.

    All viewers request a state at about the same time. So the entries of a state are dropped when
    two further states have been shown.
    """

    __slots__ = ("_new", "_old", "_state")

    def __init__(self) -> None:
        self._new: dict[object, tuple[Any, object]] = {}
        self._old: dict[object, tuple[Any, object]] = {}
        self._state: object = None

    def turn_to(self, state: object) -> None:
        """Make `state` the current state."""
        if self._state is not state:
            self._state = state
            self._old, self._new = self._new, {}
            _SHOWN.pop(self, None)
            _SHOWN[self] = None
            if len(_SHOWN) > _MOST_SHOWN:
                last = next(iter(_SHOWN))
                del _SHOWN[last]
                last._old = {}

    def of(self, key: object, make: Callable[[], T], *parts: object) -> T:
        """Return the entry for a key. At the first request, `make` makes the entry.

        `parts` are the objects whose `id`s are in the key.
        """
        found = self._new.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                found = make(), parts
            self._new[key] = found
        answer: T = found[0]
        return answer


_SHOWN: dict[Kept, None] = {}
"""The caches that changed their state most recently."""
_MOST_SHOWN = 8
_KEPT: WeakKeyDictionary[object, Kept] = WeakKeyDictionary()


def kept_of(match: object) -> Kept:
    """Return the cache of a match, given an object that all states of the match share."""
    found = _KEPT.get(match)
    if found is None:
        found = _KEPT[match] = Kept()
    return found
