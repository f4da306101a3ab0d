"""The fastest engine for a game: native code where it is available; made once."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from weakref import WeakKeyDictionary

from rulewright.interpreter.engines.engine import NativeTrials
from rulewright.interpreter.engines.engines import has_native, make_engine
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.text.errors import NoNativeEngineError
from rulewright.interpreter.views.compiled_game import CompiledGame

_MAKING = Lock()
_FASTEST: WeakKeyDictionary[CompiledGame, CompiledGame | None] = WeakKeyDictionary()


def fastest(compiled: CompiledGame) -> CompiledGame:
    """The same game with the fastest available engine; made once, at the first call."""
    with _MAKING:
        if compiled not in _FASTEST:
            found = None
            if has_native(compiled.program):
                with suppress(NoNativeEngineError):
                    found = CompiledGame(compiled.program, make_engine(compiled.program, "native"))
            _FASTEST[compiled] = found
        return _FASTEST[compiled] or compiled


def get_ready(compiled: CompiledGame) -> None:
    """Compile everything that a search needs before its first trial."""
    found = fastest(compiled)
    if isinstance(found.engine, NativeTrials) and found.engine.searches:
        found.engine.get_ready()
        if not found.viewer.is_open:
            observer_of(found)  # a search tells what a player knows apart by it
