"""Rulewright from Python: the names that other programs may rely on."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.interpreter.matches.game import Game, load_game
    from rulewright.interpreter.matches.state import Decision, Option, State

__all__ = ["Decision", "Game", "Option", "State", "load_game"]

_HOMES = {
    "Decision": "rulewright.interpreter.matches.state",
    "Game": "rulewright.interpreter.matches.game",
    "Option": "rulewright.interpreter.matches.state",
    "State": "rulewright.interpreter.matches.state",
    "load_game": "rulewright.interpreter.matches.game",
}


def __getattr__(name: str) -> object:
    # Loaded at first use: commands that do not play start faster.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
