"""Search trials per second in native code: run here, and in Python for browsers by `bench.wasm`."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl.ir import Program
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.native.engine import BEST, NativeEngine
from rulewright.interpreter.matches.game import first_state
from rulewright.interpreter.views.compiled_game import CompiledGame

CHUNK = 20


def trials_a_second(program: Program, seconds: float, clock: Callable[[], float]) -> float:
    """The rate of the best code at the first decision, after a second in which a browser compiles frequent code."""
    compiled = CompiledGame(program, NativeEngine(program, BEST))
    found = Search(first_state(compiled, 7, "seeded", False), Generator.seeded(0))
    assert found.is_native
    for part in (1.0, seconds):
        before, begun = found.playouts, clock()
        while (now := clock()) < begun + part:
            found.look(CHUNK)
    return (found.playouts - before) / (now - begun)
