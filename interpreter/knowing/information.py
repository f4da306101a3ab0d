"""What a player has seen and chosen so far, as one text: equal texts are one information set.

Refuses to forget: each change of the player's view, each line told and each visible choice
counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rulewright.interpreter.knowing.telling import may_tell
from rulewright.interpreter.viewing.position import Position
from rulewright.interpreter.viewing.views import as_text


def information(states: Sequence[Position], player: int) -> str:
    """What a player knows at the last of these states, having seen all of them in order."""
    parts = [_seen(states[0], player), *_told(states[0], player)]
    seen = parts[0]
    for before, after in pairwise(states):
        who = before.variant.words.chooser(before.cells)
        told = may_tell(before, after, player)
        chosen = before.variant.option_name(before.cells, after.choice) if told else "?"
        parts.append(f"{who}: {chosen}")
        parts.extend(_told(after, player))
        now = _seen(after, player)
        if now != seen:
            parts.append(now)
            seen = now
    return "\n".join(parts)


def _told(state: Position, player: int) -> list[str]:
    return [f"told: {line.text}" for line in state.log if line.is_for(player)]


def _seen(state: Position, player: int) -> str:
    return as_text(state.variant.viewer.view(state.cells, player))
