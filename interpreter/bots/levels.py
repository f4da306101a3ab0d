"""Finds bots by their names, and defines how long each bot thinks.

A level means a number of trials, or a time if a person is waiting (`for_person`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_and
from rulewright.interpreter.bots.simple import BOTS, Bot
from rulewright.interpreter.bots.tree_search import Effort, searching
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.text.errors import UnknownBotError
from rulewright.interpreter.text.kinds import refuses_wrong_kinds

LEVELS: Final[Mapping[str, Effort]] = MappingProxyType(
    {
        "easy": Effort(playouts=60),
        "normal": Effort(playouts=600),
        "mcts": Effort(playouts=600),
        "hard": Effort(playouts=5000, decisions=1_000_000),
    }
)
"""For each level, the number of trials of its bot in a report, an environment or a test."""
TIMES: Final[Mapping[str, float]] = MappingProxyType({"easy": 0.25, "normal": 1.0, "hard": 5.0})
"""For each level, the number of seconds that its bot thinks if a person is waiting."""

NAMES: Final = (*BOTS, "easy", "normal", "hard", "mcts:400", "mcts:2s")
"""The names of bots. The numbers in them are examples."""

_LONGEST = 3600.0
_TIME = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)(ms|s)\Z")
_FORM = re.compile(r"mcts:([0-9.ms]+)(:points)?\Z")
_TRIALS = re.compile(r"[0-9]{1,7}\Z")


def effort_named(word: str) -> Effort | None:
    """If `word` names a bot that searches, return its search effort, otherwise None."""
    if word in LEVELS:
        return LEVELS[word]
    found = _FORM.match(word)
    if found is None:
        return None
    effort = found[1]
    reward: Reward = "points" if found[2] else "wins"
    if _TRIALS.match(effort):
        return Effort(playouts=int(effort), reward=reward) if int(effort) else None
    seconds = seconds_of(effort)
    return Effort(seconds=seconds, reward=reward) if seconds else None


def for_person(word: str, seconds: float = 0.0) -> str:
    """Return the bot to use if a person is waiting. A level thinks for its own time, or for `seconds` if given.

    >>> for_person("easy"), for_person("hard", 3), for_person("greedy"), for_person("mcts:400")
    ('mcts:0.25s', 'mcts:3s', 'greedy', 'mcts:400')
    """
    return f"mcts:{seconds or TIMES[word]:g}s" if word in TIMES else word


def seconds_of(word: str) -> float | None:
    """If a word is a time, return the number of seconds, otherwise None.

    >>> seconds_of("3s"), seconds_of("50ms"), seconds_of("0.5s"), seconds_of("soon"), seconds_of("0s")
    (3.0, 0.05, 0.5, None, None)
    """
    found = _TIME.match(word)
    if found is None:
        return None
    seconds = float(found[1]) / (1000 if found[2] == "ms" else 1)
    return seconds if 0.001 <= seconds <= _LONGEST else None


def is_bot(word: str) -> bool:
    """Return whether a word is the name of a bot."""
    return word in BOTS or effort_named(word) is not None


def no_bot(word: str) -> str:
    """Return a message that there is no bot named `word`. It suggests similar names, or lists all names.

    >>> no_bot("nromal")
    'there is no bot `nromal`; did you mean `normal`?'
    """
    near = did_you_mean(word, NAMES).words
    return f"there is no bot `{word[:40]}`; {near or f'there are {listed_and(NAMES)}'}"


@refuses_wrong_kinds
@cache
def bot_named(word: str) -> Bot:
    """Return the bot with a name.

    The names are random, greedy, easy, normal and hard, or a search with its effort, such as
    `mcts:400` or `mcts:2s`.
    """
    if word in BOTS:
        return BOTS[word]
    effort = effort_named(word)
    if effort is None:
        raise UnknownBotError(no_bot(word))
    return searching(effort)
