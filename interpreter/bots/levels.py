"""Bots by their names: how long each of them thinks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from rulewright.interpreter.bots.simple import BOTS, Bot
from rulewright.interpreter.bots.tree_search import Effort, searching
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.text.errors import UnknownBotError, with_near

LEVELS: Final[Mapping[str, Effort]] = MappingProxyType(
    {
        "easy": Effort(playouts=60),
        "normal": Effort(playouts=600),
        "mcts": Effort(playouts=600),
        "hard": Effort(playouts=5000, decisions=1_000_000),
    }
)
"""How many plays a searching bot looks at, by name."""

NAMES: Final = (*BOTS, "easy", "normal", "hard", "mcts:400", "mcts:2s")
"""What a bot can be called; numbers stand for any other."""

_FORM = re.compile(r"mcts:([0-9]{1,7})(\.[0-9]{1,3})?(s?)(:points)?\Z")


def effort_named(word: str) -> Effort | None:
    """How much a searching bot of this name thinks; None where there is none."""
    if word in LEVELS:
        return LEVELS[word]
    found = _FORM.match(word)
    if found is None:
        return None
    whole, part, seconds, points = found.groups()
    reward: Reward = "points" if points else "wins"
    if seconds:
        long = float(whole + (part or ""))
        return Effort(seconds=long, reward=reward) if long > 0 else None
    return Effort(playouts=int(whole), reward=reward) if not part and int(whole) > 0 else None


def is_bot(word: str) -> bool:
    """Whether there is a bot of this name."""
    return word in BOTS or effort_named(word) is not None


@cache
def bot_named(word: str) -> Bot:
    """The bot of a name: random, greedy, easy, normal, hard, or as exact as `mcts:400` or `mcts:2s`."""
    if word in BOTS:
        return BOTS[word]
    effort = effort_named(word)
    if effort is None:
        raise UnknownBotError(with_near(f"there is no bot `{word}`", word, NAMES))
    return searching(effort)
