"""All that a player has seen and chosen so far, as one text: equal texts are one information set.

Does not forget: each change of the player's view, each log line for the player and each visible choice counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.views.position import Position
from rulewright.interpreter.views.view import as_text


def information(states: Sequence[Position], player: int) -> str:
    """A player's knowledge at the last of these states, having seen all of them in order."""
    parts, seen = begun(states[0], player)
    for before, after in pairwise(states):
        more, seen = added(before, after, player, seen)
        parts += more
    return "\n".join(parts)


def begun(state: Position, player: int) -> tuple[list[str], str]:
    """A player's knowledge at the first state, and the player's view there."""
    seen = _seen(state, player)
    return [seen, *_told(state, player)], seen


def added(before: Position, after: Position, player: int, seen: str) -> tuple[list[str], str]:
    """The knowledge that a step adds for a player whose view was `seen`; and the player's view now."""
    who = before.compiled.words.chooser(before.cells)
    told = may_tell(before, after, player)
    chosen = before.compiled.option_name(before.cells, after.choice) if told else "?"
    parts = [f"{who}: {chosen}", *_told(after, player)]
    now = _seen(after, player)
    return ([*parts, now] if now != seen else parts), now


def _told(state: Position, player: int) -> list[str]:
    return [f"told: {line.text}" for line in state.log if line.is_for(player)]


def _seen(state: Position, player: int) -> str:
    return as_text(state.compiled.viewer.view(state.cells, player))
