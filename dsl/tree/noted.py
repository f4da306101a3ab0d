"""What was found out from the text of nodes alone: it is the same in every look at a game that still has them.

Refuses to know what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from attrs import define, field

T = TypeVar("T")


@define
class Noted:
    """What was found out from the text of a node alone, for the same node in another look at the game."""

    _of: dict[tuple[object, int], tuple[object, object]] = field(factory=dict)
    """By what finds it out and the `id` of the node, which is kept beside it."""

    def of(self, find: Callable[[object], T], node: object) -> T:
        """What is found out from a node; `find` is a function at the top of its module."""
        known = self._of.get((find, id(node)))
        if known is None:
            known = self._of[find, id(node)] = node, find(node)
        result: T = known[1]  # type: ignore[assignment]  # the same function has given it
        return result
