"""Shorten a list of problems: of many similar problems, only the first few are shown in full.

Problems are similar if they have the same code in the same file and their messages differ only in names and
numbers.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.excerpts import wrap
from rulewright.dsl.diagnostics.source import Source

WHOLE: Final = 3
"""The number of similar problems that are shown in full."""
LISTED: Final = 10
"""The maximum number of line numbers, and of different messages, that are listed for the other problems."""

_VARYING: Final = re.compile(r"`[^`]*`|\d+")


@attrs.frozen
class Folded:
    """Problems that are similar to other problems and are not shown in full."""

    source: Source
    problems: tuple[Diagnostic, ...]
    is_same_message: bool
    """Whether each of these problems has the same message as one that is shown."""


def fold(problems: Sequence[Diagnostic]) -> Iterator[Diagnostic | Folded]:
    """Yield the problems in order. The fourth and later similar problems are folded into one entry after the third."""
    by_shape: dict[object, list[Diagnostic]] = {}
    for problem in problems:
        by_shape.setdefault(_shape(problem), []).append(problem)
    seen: dict[object, int] = {}
    for problem in problems:
        shape = _shape(problem)
        seen[shape] = number = seen.get(shape, 0) + 1
        group = by_shape[shape]
        # A single problem, shown in full, needs no more room than the summary.
        is_short = len(group) <= WHOLE + 1
        if number <= WHOLE or is_short:
            yield problem
        if number == WHOLE and not is_short:
            shown = {other.message for other in group[:WHOLE]}
            rest = tuple(group[WHOLE:])
            is_same = all(other.message in shown for other in rest)
            yield Folded(problem.span.source, rest, is_same)


def describe(folded: Folded, width: int) -> list[str]:
    """Return lines that say how many problems were left out, and where they are."""
    return [row for line in _describe_unwrapped(folded) for row in _rows(line, width)]


def _rows(line: str, width: int) -> list[str]:
    """Split a long line into several rows with the same indent."""
    indent = " " * (len(line) - len(line.lstrip()))
    return [indent + row for row in wrap(line.lstrip(), width - len(indent))]


def _describe_unwrapped(folded: Folded) -> list[str]:
    count = len(folded.problems)
    head = f"... and {count:,} more lines like this in {folded.source.name}"
    if folded.is_same_message:
        return [f"{head}: {_lines(folded.problems)}"]
    by_message: dict[str, list[Diagnostic]] = {}
    for problem in folded.problems:
        by_message.setdefault(problem.message, []).append(problem)
    listed = [f"    {_lines(same)}: {message}" for message, same in [*by_message.items()][:LISTED]]
    left = sum(len(same) for same in [*by_message.values()][LISTED:])
    return [f"{head}:", *listed, *([f"    and {left:,} others"] if left else [])]


def _shape(problem: Diagnostic) -> object:
    return problem.code, problem.span.source.name, _VARYING.sub("`", problem.message)


def _lines(problems: Sequence[Diagnostic]) -> str:
    """Return the line numbers of problems. Three or more consecutive numbers are written as a range."""
    ranges: list[tuple[int, int]] = []
    for line in sorted({problem.span.line for problem in problems}):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], line)
        else:
            ranges.append((line, line))
    parts = [part for low, high in ranges for part in _range(low, high)]
    left = len(parts) - LISTED
    return ", ".join(parts[:LISTED]) + (f" and {left:,} more" if left > 0 else "")


def _range(low: int, high: int) -> list[str]:
    if high - low < 2:
        return [str(line) for line in range(low, high + 1)]
    return [f"{low} to {high}"]
