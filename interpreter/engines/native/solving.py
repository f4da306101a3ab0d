"""Runs solvers in native code: the kernels of `engines.kernels.regret_minimisation`, for one tree."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, Final

from rulewright.interpreter.engines.kernels import regret_minimisation
from rulewright.interpreter.engines.kernels.game_tree import GameTree
from rulewright.interpreter.engines.modules import module_named
from rulewright.interpreter.engines.native.browser import IN_BROWSER
from rulewright.interpreter.engines.native.direct import direct_without_gil
from rulewright.interpreter.engines.native.kernel import kernel, put_back, words_of
from rulewright.interpreter.engines.native.llvm import compile_module, link

_TASKS: Final = ("match_all", "minimise", "worth_of", "best_answer", "sample")
_MAKING = Lock()
"""Held while the kernels are compiled. A second copy would replace the first."""


def source() -> str:
    """Write the LLVM IR of the kernels."""
    return kernel((regret_minimisation,), _TASKS, GameTree)


@cache
def _link() -> tuple[Any, dict[str, Callable[..., int]]]:
    symbols = [f"kernel_{task}" for task in _TASKS]
    code = module_named("solving") if IN_BROWSER else compile_module(source(), 2)
    keeps, addresses = link(code, symbols)
    takes = {"minimise": "pqq"}
    return keeps, {
        task: direct_without_gil(addresses[f"kernel_{task}"], takes.get(task, "pq"))
        for task in _TASKS
    }


def run(task: str, t: GameTree, *numbers: int) -> None:
    """Run a kernel in native code. Raise `NoNativeEngineError` if native code is not available."""
    with _MAKING:
        functions = _link()[1]
    words = words_of(t)
    functions[task](words.buffer_info()[0], *numbers)
    put_back(t, words)
