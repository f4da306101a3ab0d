"""The exit codes of commands."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes that scripts can rely on."""

    FINE = 0
    PROBLEMS = 1
    """Problems were found, or expectations failed."""
    USAGE = 2
    FAULT = 3
    """The rules asked for something impossible during play."""
    BUG = 70
    """A bug in Rulewright."""
    INTERRUPTED = 130
    """Ctrl-C, with the exit code of shells."""
