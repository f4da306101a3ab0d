"""Finds the fastest engine for a game: the native engine if it is available."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock
from weakref import WeakKeyDictionary

from rulewright.interpreter.engines.engine import Engine, NativeTrials
from rulewright.interpreter.engines.engines import (
    engine_names,
    has_native,
    make_engine,
    make_kernels,
    name_of,
)
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.text.errors import NoNativeEngineError
from rulewright.interpreter.views.compiled_game import CompiledGame

_MAKING = Lock()
_NATIVE: WeakKeyDictionary[Engine, Engine | None] = WeakKeyDictionary()
"""For each engine, the native engine of the same program. Games that differ in the names of players share it."""
_FASTEST: WeakKeyDictionary[CompiledGame, CompiledGame | None] = WeakKeyDictionary()


def fastest(compiled: CompiledGame) -> CompiledGame:
    """Return the same game with the fastest available engine. The engine is made at the first call and cached."""
    with _MAKING:
        if compiled not in _FASTEST:
            native = _native(compiled)
            found = None if native is None else CompiledGame(compiled.program, native)
            _FASTEST[compiled] = found
        return _FASTEST[compiled] or compiled


def _native(compiled: CompiledGame) -> Engine | None:
    """Return the native engine of a game, or None if there is none or the game uses it already."""
    engine, program = compiled.engine, compiled.program
    if engine not in _NATIVE:
        _NATIVE[engine] = None
        if name_of(engine) != "native" and has_native(program):
            with suppress(NoNativeEngineError):
                _NATIVE[engine] = make_engine(program, "native")
    return _NATIVE[engine]


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
