"""The engine: a checked program in, states, decisions and results out; knows no text."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.interpreter.matches.game import Game, load_game
    from rulewright.interpreter.matches.state import Decision, Option, State

__all__ = ["Decision", "Game", "Option", "State", "load_game"]

_MODULES = {
    "Decision": "matches.state",
    "Game": "matches.game",
    "Option": "matches.state",
    "State": "matches.state",
    "load_game": "matches.game",
}


def __getattr__(name: str) -> object:
    # Commands that do not play need not wait until all that plays is loaded.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
