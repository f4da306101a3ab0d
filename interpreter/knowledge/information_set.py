"""Describes everything that a player has seen and chosen so far, as text. Equal texts mean the same information set.

Players have perfect recall: each change of the view, each log line for the player and each visible
choice is included. The text begins with the whole view. Each step adds its events and the parts of
the view that changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.views.position import Position
from rulewright.interpreter.views.view import named_parts

Seen: TypeAlias = "dict[str, str]"
"""The parts of a player's view, keyed by name. If several parts have the same name, the second is `name #2`."""


def information(states: Sequence[Position], player: int) -> str:
    """Describe a player's knowledge at the last of the given states. The player has seen all of the states in order."""
    parts, seen = first_knowledge(states[0], player)
    for before, after in pairwise(states):
        more, seen = added_knowledge(before, after, player, seen)
        parts += more
    return "\n".join(parts)


def first_knowledge(state: Position, player: int) -> tuple[list[str], Seen]:
    """Return a player's knowledge at the first state, and the player's view of that state."""
    seen = _view_texts(state, player)
    return [*_changes({}, seen), *_log_lines(state, player)], seen


def added_knowledge(
    before: Position, after: Position, player: int, seen: Mapping[str, str]
) -> tuple[list[str], Seen]:
    """Return the knowledge that a step adds for a player whose view was `seen`, and the player's new view."""
    now = _view_texts(after, player)
    return [*new_lines(before, after, player), *_changes(seen, now)], now


def new_lines(before: Position, after: Position, player: int) -> list[str]:
    """Return the choice of a step, or `?` if the player may not know it, and the log lines for the player."""
    who = before.compiled.words.chooser(before.cells)
    known = may_tell(before, after, player)
    chosen = before.compiled.option_name(before.cells, after.choice) if known else "?"
    return [f"{who}: {chosen}", *_log_lines(after, player)]


def _log_lines(state: Position, player: int) -> list[str]:
    return [f"told: {line.text}" for line in state.log if line.is_for(player)]


def _changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """List the parts of a view that are new or gone. Together with the previous view, they determine the new view."""
    new = [f"{name} = {text}" for name, text in now.items() if before.get(name) != text]
    return [*new, *(f"{name} is not shown any more" for name in before if name not in now)]


def _view_texts(state: Position, player: int) -> Seen:
    met: Counter[str] = Counter()
    seen: Seen = {}
    for name, text in named_parts(state.compiled.viewer.view(state.cells, player)):
        met[name] += 1
        named = name or "in play"
        seen[named if met[name] == 1 else f"{named} #{met[name]}"] = text
    return seen
