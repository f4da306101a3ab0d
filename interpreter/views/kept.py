"""Parts of pictures of a match that are used for the next picture: equal parts are made once.

An answer is kept by the things it was made of. Most of them are the same objects for all
viewers and in many states. So their numbers in memory (`id`) stand for their values. An answer holds them, so that no
other object can take such a number while the answer is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from rulewright.interpreter.views.compiled_game import CompiledGame

T = TypeVar("T")


class Kept:
    """Answers that were used for the last state or the one before; older ones are forgotten.

    All viewers ask for a state at once. So those of the state before are forgotten when others are shown.
    """

    __slots__ = ("_new", "_old", "_state")

    def __init__(self) -> None:
        self._new: dict[object, tuple[Any, object]] = {}
        self._old: dict[object, tuple[Any, object]] = {}
        self._state: object = None

    def turn_to(self, state: object) -> None:
        """Hear which state comes next."""
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
        """The answer of a key; `parts` are the objects whose numbers stand in it."""
        found = self._new.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                found = make(), parts
            self._new[key] = found
        answer: T = found[0]
        return answer


_SHOWN: dict[Kept, None] = {}
"""Those that were turned to another state last."""
_MOST_SHOWN = 8
_KEPT: WeakKeyDictionary[CompiledGame, Kept] = WeakKeyDictionary()
"""Those of the matches that are shown."""


def kept_of(compiled: CompiledGame) -> Kept:
    """The answers that are kept for a compiled game."""
    found = _KEPT.get(compiled)
    if found is None:
        found = _KEPT[compiled] = Kept()
    return found
