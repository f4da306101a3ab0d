"""Defines errors in requests to the engine, about the game, the variant, the choice or the record.

Faults of the rules during a match are in `rulewright.interpreter.text.faults`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.suggest import did_you_mean


class RequestError(Exception):
    """A request that cannot be carried out. Its message is one sentence for a person."""


class NoSuchGameError(RequestError):
    """There is no game of this name and no file at this path."""


class BrokenGameError(RequestError):
    """The rules have problems, so they cannot be played."""

    def __init__(self, name: str, problems: tuple[Diagnostic, ...]) -> None:
        plural = "problem" if len(problems) == 1 else "problems"
        super().__init__(f"`{name}` has {len(problems)} {plural}")
        self.problems = problems


class WrongVariantError(RequestError):
    """The game is not for this number of players, or has no such option or value."""


class NoSuchOptionError(RequestError):
    """The choice is not offered. If the rules give a reason, `reason` contains it in their words."""

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class WrongArgumentError(RequestError, ValueError):
    """An argument has the wrong type, or is outside its bounds."""


class NoNativeEngineError(RequestError):
    """The native engine cannot run a game: llvmlite is missing, or the game is not supported."""


class UnknownBotError(RequestError):
    """There is no bot with this name, or the bot cannot think here in the requested way."""


class BrokenRecordError(RequestError):
    """A record cannot be read, or does not fit the rules that it names."""


class BrokenStateError(RequestError):
    """Bytes contain no state, or a state of other rules."""


def with_near(message: str, word: str, names: Iterable[str]) -> str:
    """Add similar names to a message about an unknown word."""
    question = did_you_mean(word, names).words
    return f"{message}; {question}" if question else message


class SlowPathWarning(UserWarning):
    """The request is carried out, but another way would be many times as fast."""
