"""Rulewright from Python: the names that other programs may rely on.

`docs/api.md` describes them. Everything else in the packages below is private and may change at any time.
"""

from importlib import import_module

# Not from `typing`: loading that takes longer than a person needs to press Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.interpreter.bots.levels import bot_named
    from rulewright.interpreter.bots.simple import Bot
    from rulewright.interpreter.bots.tree_search import Effort, think
    from rulewright.interpreter.bots.trees import Thought
    from rulewright.interpreter.engines.chance import Generator
    from rulewright.interpreter.engines.results import Results
    from rulewright.interpreter.knowledge.observers import Observer, observer_of
    from rulewright.interpreter.knowledge.visible_cells import HIDDEN
    from rulewright.interpreter.matches.actions import Actions
    from rulewright.interpreter.matches.events import Event
    from rulewright.interpreter.matches.game import (
        Game,
        Variant,
        load_game,
        results_from,
        rollouts,
    )
    from rulewright.interpreter.matches.library import shipped_games
    from rulewright.interpreter.matches.match import Match
    from rulewright.interpreter.matches.records import (
        Record,
        load_records,
        parse_records,
        record_of,
    )
    from rulewright.interpreter.matches.replay import replay, replay_as_far
    from rulewright.interpreter.matches.state import Decision, Option, State
    from rulewright.interpreter.matches.vector import Vector
    from rulewright.interpreter.statistics.endings import Endings
    from rulewright.interpreter.testing.positions import load_position
    from rulewright.interpreter.text.errors import RequestError
    from rulewright.interpreter.text.faults import RuleFault
    from rulewright.interpreter.views.view import View

__all__ = [
    "HIDDEN",
    "Actions",
    "Bot",
    "Decision",
    "Effort",
    "Endings",
    "Event",
    "Game",
    "Generator",
    "Match",
    "Observer",
    "Option",
    "Record",
    "RequestError",
    "Results",
    "RuleFault",
    "State",
    "Thought",
    "Variant",
    "Vector",
    "View",
    "bot_named",
    "load_game",
    "load_position",
    "load_records",
    "observer_of",
    "parse_records",
    "record_of",
    "replay",
    "replay_as_far",
    "results_from",
    "rollouts",
    "shipped_games",
    "think",
]

_HOMES = {
    "bots.levels": ("bot_named",),
    "bots.simple": ("Bot",),
    "bots.tree_search": ("Effort", "think"),
    "bots.trees": ("Thought",),
    "engines.chance": ("Generator",),
    "engines.results": ("Results",),
    "knowledge.observers": ("Observer", "observer_of"),
    "knowledge.visible_cells": ("HIDDEN",),
    "matches.actions": ("Actions",),
    "matches.events": ("Event",),
    "matches.game": ("Game", "Variant", "load_game", "results_from", "rollouts"),
    "matches.library": ("shipped_games",),
    "matches.match": ("Match",),
    "matches.records": ("Record", "load_records", "parse_records", "record_of"),
    "matches.replay": ("replay", "replay_as_far"),
    "matches.state": ("Decision", "Option", "State"),
    "matches.vector": ("Vector",),
    "statistics.endings": ("Endings",),
    "testing.positions": ("load_position",),
    "text.errors": ("RequestError",),
    "text.faults": ("RuleFault",),
    "views.view": ("View",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    # Loaded at first use: commands that do not play start faster.
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"rulewright.interpreter.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
