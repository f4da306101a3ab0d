"""Compiles groups of kernels to native code, each group once, and runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from types import ModuleType
from typing import Any, Final

from attrs import define, field

from rulewright.interpreter.engines.kernels import (
    alpha_beta,
    choosing,
    coding,
    hidden,
    learning,
    machine,
    numbers,
    past,
    patterns,
    positions,
    regret_minimisation,
    retrograde,
    search,
    sight,
)
from rulewright.interpreter.engines.kernels.game_tree import GameTree
from rulewright.interpreter.engines.kernels.positions import Positions
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.engines.modules import module_named
from rulewright.interpreter.engines.native.browser import IN_BROWSER
from rulewright.interpreter.engines.native.direct import direct_without_gil
from rulewright.interpreter.engines.native.kernel import kernel, put_back, words_of
from rulewright.interpreter.engines.native.llvm import compile_module, link


@define(eq=False)
class KernelGroup:
    """Kernels that are compiled together. Other kernels of their modules are called by them."""

    name: str
    modules: tuple[ModuleType, ...]
    tasks: tuple[str, ...]
    """The kernels that Python calls. They take the words of a table, and usually one number."""
    level: int = 2
    """The optimisation level."""
    table: type = Tree
    takes: Mapping[str, str] = field(factory=dict)
    """The parameters of tasks that take more than one number."""
    _lock: Lock = field(init=False, factory=Lock)
    """Held while the kernels are compiled. A second copy would replace the first copy, and the
    first copy may already be running."""
    _linked: tuple[Any, dict[str, Callable[..., int]]] | None = field(init=False, default=None)
    """The object that keeps the code alive, and the functions."""

    @property
    def source(self) -> str:
        """Return the LLVM IR."""
        return kernel(self.modules, self.tasks, self.table)

    @property
    def functions(self) -> Mapping[str, Callable[..., int]]:
        """Return the native code of each task."""
        with self._lock:
            if self._linked is None:
                self._linked = self._link()
        return self._linked[1]

    def _link(self) -> tuple[Any, dict[str, Callable[..., int]]]:
        code = module_named(self.name) if IN_BROWSER else compile_module(self.source, self.level)
        keeps, addresses = link(code, [f"kernel_{task}" for task in self.tasks])
        return keeps, {
            task: direct_without_gil(addresses[f"kernel_{task}"], self.takes.get(task, "pq"))
            for task in self.tasks
        }

    def run(self, task: str, t: Any, *given: int, game: tuple[int, ...] = ()) -> int:
        """Run a task with a table, and return its result. `game` contains the functions of a game."""
        function, words = self.functions[task], words_of(t, game)
        result = function(words.buffer_info()[0], *given)
        put_back(t, words)
        return result


SEARCH: Final = KernelGroup(
    "search",
    (numbers, machine, hidden, past, patterns, search, learning),
    (
        *("trials", "learn_once", "fill_table", "fill_logs", "remember", "sample"),
        "learn_patterns",
    ),
    level=1,  # level 2 takes five times as long, and makes trials at most 6 % faster
)
"""The tasks of a search by trials."""
EXACT: Final = KernelGroup(
    "solving open games",
    (machine, positions, alpha_beta, retrograde),
    (
        *("open_search", "search_on", "open_graph", "explore", "fill_places"),
        *("turn_round", "spread"),
    ),
    level=1,
    table=Positions,
)
"""The tasks of the solvers for games without hidden information and chance. In browsers, Python runs them."""
SIGHTS: Final = KernelGroup(
    "sights",
    (sight, coding, machine, choosing),
    ("observe", "encode", "observe_and_encode", "gather", "total", "draw_actions"),
)
"""The tasks of observations, encodings and lists of actions."""
SOLVING: Final = KernelGroup(
    "solving",
    (regret_minimisation,),
    ("match_all", "minimise", "worth_of", "best_answer", "sample"),
    table=GameTree,
    takes={"minimise": "pqq"},
)
"""The tasks of regret minimisation."""
