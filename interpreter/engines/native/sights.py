"""Observations in native code: the kernels of `rulewright.interpreter.engines.kernels.sight`, called for one tree."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, Final

from attrs import define, field

from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.engines.kernels import sight
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.engines.native.kernel import ASKED, WORDS, kernel, words_of
from rulewright.interpreter.engines.native.llvm import compiled, linked

_CELLS: Final = WORDS["watched"]
_PLAYERS: Final = WORDS["watchers"]
_SEEN: Final = WORDS["seen"]
_TASK: Final = "observe"
_MAKING = Lock()
"""Held while the kernels are compiled: a second copy would take the place of the first."""


def _kernel() -> tuple[Any, Callable[[int, int], int]]:
    with _MAKING:
        return _made_kernel()


@cache
def _made_kernel() -> tuple[Any, Callable[[int, int], int]]:
    symbol = f"kernel_{_TASK}"
    keeps, addresses = linked(compiled(kernel((sight,), (_TASK,)), 2), [symbol])
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    return keeps, kind(addresses[symbol])


@define(eq=False)
class Sights:
    """Fills observations by the tables of a tree, in any thread."""

    _tree: Tree
    """Keeps the tables in memory."""
    _words: Any = field(init=False)
    _observe: Callable[[int, int], int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._observe = _kernel()[1]
        self._words = words_of(self._tree, (0,) * len(ASKED))

    def __call__(self, cells: Cells, players: Cells, seen: Cells) -> None:
        """Fill `seen` with the observations of states, which lie one after the other, each for one player."""
        words = self._words[:]
        words[_CELLS] = cells.buffer_info()[0]
        words[_PLAYERS] = players.buffer_info()[0]
        words[_SEEN] = seen.buffer_info()[0]
        self._observe(words.buffer_info()[0], len(players))
