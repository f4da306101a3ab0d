"""Represents the log lines of the rules, each with its audience."""

from __future__ import annotations

from typing import Final

import attrs

from rulewright.dsl.diagnostics.source import Span
from rulewright.interpreter.views.view import ALL_SEEING

NOBODY: Final = -1
"""The player of a chance event, and the audience of a line for everybody."""


@attrs.frozen
class LogEntry:
    """A line for one player, or for everybody (`NOBODY`)."""

    text: str
    audience: int
    clauses: tuple[str, ...] = ()
    span: Span | None = attrs.field(default=None, eq=False)
    pieces: tuple[str, ...] = attrs.field(default=(), eq=False)
    """The texts of the pieces that arguments of the line name. Words of the author that happen to
    equal them are not included."""

    def is_for(self, player: int) -> bool:
        """Return whether a player may read the line."""
        return self.audience in (NOBODY, player) or player == ALL_SEEING
