"""Cache facts about nodes across the checks of a game. A fact is dropped after a check that does
not use it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from attrs import define, field

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")


@define
class Recent(Generic[K, V]):
    """A cache. An entry that is not used in a whole round is dropped, so that facts about edited text do not remain.

    If a key is the `id` of a node, the caller must store the node in the value, so that no other
    node can get this `id`.
    """

    _used: dict[K, V] = field(factory=dict)
    """The entries that were used in this round."""
    _before: dict[K, V] = field(factory=dict)
    """The entries that were used in the previous round."""

    def get(self, key: K) -> V | None:
        """Return the value of a key, or None if the key has no value."""
        found = self._used.get(key)
        if found is None:
            found = self._before.get(key)
            if found is not None:
                self._used[key] = found
        return found

    def put(self, key: K, value: V) -> V:
        """Store a value under a key, and return the value."""
        self._used[key] = value
        return value

    def is_used(self) -> bool:
        """Return whether anything was used in this round."""
        return bool(self._used)

    def size(self) -> int:
        """Return the number of stored results. A result that was used in both rounds counts twice."""
        return len(self._used) + len(self._before)

    def end(self) -> None:
        """End a round. A round without uses is ignored."""
        if self._used:
            self._before, self._used = self._used, {}


def recent() -> Recent[Any, Any]:
    """Return an empty cache."""
    return Recent()


@define
class Memo:
    """Caches facts that depend only on a node. A later check of the game uses them if its tree
    contains the same node.
    """

    _used: dict[tuple[object, int], tuple[object, object]] = field(factory=dict)
    """Each key consists of a function and the `id` of a node; the value consists of the node and
    the function's result.
    """
    _before: dict[tuple[object, int], tuple[object, object]] = field(factory=dict)
    """The entries that were used in the previous round."""

    def of(self, find: Callable[[Any], T], node: object) -> T:
        """Return the result of `find` for a node. `find` must be a function at the top level of its module."""
        key = find, id(node)
        known = self._used.get(key)
        if known is None:
            known = self._used[key] = self._before.get(key) or (node, find(node))
        result: T = known[1]  # type: ignore[assignment]  # the same function has returned it
        return result

    def end(self) -> None:
        """End a round of lookups, and drop the entries that the round did not use. A round without
        lookups is ignored.
        """
        if self._used:
            self._before, self._used = self._used, {}
