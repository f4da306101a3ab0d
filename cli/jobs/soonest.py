"""Choose the engine that finishes some playouts soonest, given the time of the first playout."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rulewright.interpreter.matches.game import Game, Variant
    from rulewright.interpreter.views.compiled_game import CompiledGame

PATIENCE: Final = 0.3
"""The maximum time of the first playout in generated Python, in seconds."""
_TO_COMPILE: Final = 0.2
_TO_COMPILE_A_STEP: Final = 4e-5
"""The time to compile native code, in seconds: a constant, and an amount for each step of the rules."""
_QUICK = ("random", "greedy")
"""Bots that answer at once; in the first playout, random choices replace the slower bots."""


def soonest(game: Game, variant: Variant, bots: Sequence[str], plays: int) -> CompiledGame:
    """Return the game with the engine that finishes `plays` playouts between these bots soonest."""
    # lazy import: other commands start without it
    from rulewright.interpreter.engines.engines import engine_names, size_of
    from rulewright.interpreter.text.errors import NoNativeEngineError

    plain = game.compiled(variant)
    if "native" not in engine_names():
        return plain
    seconds = _seconds(game, variant, bots)
    to_compile = _TO_COMPILE + _TO_COMPILE_A_STEP * size_of(plain.program)
    if seconds is not None and seconds * plays < to_compile:
        return plain
    try:
        return game.compiled(variant, "native")
    except NoNativeEngineError:
        return plain


def _seconds(game: Game, variant: Variant, bots: Sequence[str]) -> float | None:
    """Measure the time of the first playout; return None if it takes longer than `PATIENCE`."""
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.levels import bot_named
    from rulewright.interpreter.engines.playouts import bot_generator
    from rulewright.interpreter.matches.game import first_state
    from rulewright.interpreter.text.faults import RuleFault

    choose = [bot_named(bot if bot in _QUICK else "random") for bot in bots]
    started = perf_counter()
    try:
        state, decisions = first_state(game.compiled(variant), 0), 0
        while not state.over:
            choice = choose[state.player](state, bot_generator(0, decisions))
            state, decisions = state.take(choice), decisions + 1
            if perf_counter() - started > PATIENCE:
                return None
    except RuleFault:  # the full run will report this fault
        return None
    return perf_counter() - started
