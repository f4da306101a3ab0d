"""Defines failures during a match: a fault of the rules, a step that cannot be done, or a bug of Rulewright."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TypeAlias

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.ir import Program
from rulewright.interpreter.text.names import Words

Value: TypeAlias = "int | tuple[Value, ...]"


SEARCH_TOO_LONG = "search-too-long"
NO_PROGRESS = "no-progress"


class RuleFault(Exception):
    """A fault of the rules that is found only during play, at `span` in their text."""

    def __init__(self, code: str, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span


class InternalError(Exception):
    """Raised if the compiler or an engine has broken its own guarantees."""


class Impossible(Exception):
    """Raised if a step cannot be done. In a search, the exception ends a branch. Outside a search,
    it becomes a `RuleFault`.

    `blocks` is the number of blocks run since the last decision. If a decision had no option,
    `cells` is the state in which the decision was opened.
    """

    def __init__(
        self, message: int, arguments: tuple[Value, ...] = (), cells: array[int] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.arguments = arguments
        self.cells = cells
        self.blocks = 0


def impossible_step(program: Program, failure: Impossible) -> RuleFault:
    """Return the fault for a step that cannot be done, outside of a search."""
    message = program.messages[failure.message]
    words = Words(program).message(failure.message, failure.arguments)
    return RuleFault("impossible-step", words or "this step is impossible", message.span)


def declared_fault(program: Program, fault: int) -> RuleFault:
    """Return the fault with the number `fault` that the program declares."""
    text = program.faults[fault]
    return RuleFault(text.code, text.message, text.span)


def total_of(program: Program, points: Iterable[int]) -> int:
    """Add up the points of one player. Raise a fault if the total is out of range."""
    total = sum(points)
    if not -(2**63) <= total < 2**63:
        where = program.plain[program.score[0].procedure].span if program.score else None
        raise RuleFault("out-of-range", "the points left the range -2^63..2^63-1", where)
    return total


def too_deep(span: Span | None = None) -> RuleFault:
    """Return the fault for calls that are nested too deeply for the size of the state."""
    return RuleFault("too-deep", "the rules call each other too deeply", span)


def search_too_long(span: Span | None) -> RuleFault:
    """Return the fault for a search that has reached its limit of options."""
    return RuleFault(SEARCH_TOO_LONG, "the search for a way to complete this takes too long", span)


def no_progress(span: Span | None = None) -> RuleFault:
    """Return the fault for a run that continues endlessly without a decision, in the loop or rule at `span`."""
    return RuleFault(NO_PROGRESS, "the rules run too long without a decision", span)
