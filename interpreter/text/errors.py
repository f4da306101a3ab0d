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
    """Raised if no game has the given name, and no file exists at the given path."""


class BrokenGameError(RequestError):
    """Raised if the rules have problems, so that they cannot be played."""

    def __init__(self, name: str, problems: tuple[Diagnostic, ...]) -> None:
        plural = "problem" if len(problems) == 1 else "problems"
        super().__init__(f"`{name}` has {len(problems)} {plural}")
        self.problems = problems


class WrongVariantError(RequestError):
    """Raised if the game is not for the given number of players, or does not have the given option or value."""


class NoSuchOptionError(RequestError):
    """Raised if a choice is not offered. If the rules give a reason, `reason` contains the reason
    in the words of the rules."""

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class WrongArgumentError(RequestError, ValueError):
    """Raised if an argument has the wrong type, or is outside its bounds."""


class NoNativeEngineError(RequestError):
    """Raised if the native engine cannot run a game, because llvmlite is missing or the game is not supported."""


class UnknownBotError(RequestError):
    """Raised if no bot has the given name, or if the bot cannot think in the requested way in this environment."""


class BrokenRecordError(RequestError):
    """Raised if a record cannot be read, or does not fit the rules that it names."""


class BrokenStateError(RequestError):
    """Raised if bytes contain no state, or a state of other rules."""


def with_near(message: str, word: str, names: Iterable[str]) -> str:
    """Add similar names to a message about an unknown word."""
    question = did_you_mean(word, names).words
    return f"{message}; {question}" if question else message


class SlowPathWarning(UserWarning):
    """Warns that a request is carried out, but that another way would be many times as fast."""
