"""Solvers in native code: the kernels of `engines.kernels.regret_minimisation`, called for one tree."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, Final

from rulewright.interpreter.engines.kernels import regret_minimisation
from rulewright.interpreter.engines.kernels.game_tree import GameTree
from rulewright.interpreter.engines.native.direct import released
from rulewright.interpreter.engines.native.kernel import kernel, put_back, words_of
from rulewright.interpreter.engines.native.llvm import compiled, linked

_TASKS: Final = ("match_all", "minimise", "worth_of", "best_answer", "sample")
_MAKING = Lock()
"""Held while the kernels are compiled: a second copy would take the place of the first."""


@cache
def _made() -> tuple[Any, dict[str, Callable[..., int]]]:
    symbols = [f"kernel_{task}" for task in _TASKS]
    text = kernel((regret_minimisation,), _TASKS, GameTree)
    keeps, addresses = linked(compiled(text, 2), symbols)
    takes = {"minimise": "pqq"}
    return keeps, {
        task: released(addresses[f"kernel_{task}"], takes.get(task, "pq")) for task in _TASKS
    }


def run(task: str, t: GameTree, *numbers: int) -> None:
    """Run a kernel in native code; raises `NoNativeEngineError` if native code is not available."""
    with _MAKING:
        functions = _made()[1]
    words = words_of(t)
    functions[task](words.buffer_info()[0], *numbers)
    put_back(t, words)
