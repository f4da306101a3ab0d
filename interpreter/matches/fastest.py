"""Finds the fastest engine for a game: the native engine if it is available."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock
from weakref import WeakKeyDictionary

from rulewright.interpreter.engines.engine import NativeTrials
from rulewright.interpreter.engines.engines import (
    engine_names,
    has_native,
    make_engine,
    make_kernels,
)
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.text.errors import NoNativeEngineError
from rulewright.interpreter.views.compiled_game import CompiledGame

_MAKING = Lock()
_FASTEST: WeakKeyDictionary[CompiledGame, CompiledGame | None] = WeakKeyDictionary()


def fastest(compiled: CompiledGame) -> CompiledGame:
    """Return the same game with the fastest available engine. The engine is made at the first call and cached."""
    with _MAKING:
        if compiled not in _FASTEST:
            found = None
            if has_native(compiled.program):
                with suppress(NoNativeEngineError):
                    found = CompiledGame(compiled.program, make_engine(compiled.program, "native"))
            _FASTEST[compiled] = found
        return _FASTEST[compiled] or compiled


def get_ready(compiled: CompiledGame) -> CompiledGame:
    """Return the same game with the fastest engine, and compile everything that a search needs.

    The kernels are the same for all games, so another thread compiles them at the same time.
    """
    with _kernels_beside(compiled):
        found = fastest(compiled)
    if isinstance(found.engine, NativeTrials) and found.engine.searches:
        found.engine.get_ready()
        if not found.viewer.is_open:
            observer_of(found)  # a search uses the observer to distinguish what players know
    return found


@contextmanager
def _kernels_beside(compiled: CompiledGame) -> Iterator[None]:
    with ExitStack() as opened:
        if compiled not in _FASTEST and "native" in engine_names():
            thread = opened.enter_context(ThreadPoolExecutor(1))
            thread.submit(make_kernels, observes=not compiled.viewer.is_open)
        yield
