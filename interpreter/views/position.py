"""Defines the protocol of positions: a state for code that does not depend on matches."""

from __future__ import annotations

from array import array
from typing import Protocol

from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import LogEntry


class Position(Protocol):
    """The cells of a position, the choice that led to it, and the log lines of that step."""

    cells: array[int]

    @property
    def compiled(self) -> CompiledGame:
        """Return the game for the given number of players and options."""
        ...

    @property
    def choice(self) -> int:
        """Return the number of the option that led to the position, or a negative number if none did."""
        ...

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Return the lines that the rules have logged since the previous decision."""
        ...
