"""Repeats a step, and records it at each chance event, or statement by statement in the reference interpreter."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from rulewright.dsl.ir import BOUND
from rulewright.interpreter.engines.engine import LogLine
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.matches.state import State

Key: TypeAlias = "tuple[int, int, int, int]"
"""A moment: a statement or block, and how often it has been run in the step.

The last two entries are the numbers of results of chance and of log lines before the moment.
"""
_MOST = 5_000
"""The maximum number of moments stored for one step."""
Moment: TypeAlias = "tuple[array[int], array[int]]"
"""The cells of stored values, and the cells of local values."""


def moments(states: Sequence[State], number: int) -> dict[Key, Moment]:
    """Return the cells at each block of a step, and after each statement. Equal neighbours share one array."""
    stack = states[number].compiled.program.stack
    found: dict[Key, Moment] = {}
    last = array("i")

    def keep(key: Key, cells: array[int]) -> None:
        nonlocal last
        if len(found) < _MOST:
            now = cells[:stack]
            last = last if now == last else now
            found[key] = last, cells[stack:]

    run_step(states, number, keep)
    return found


def run_step(
    states: Sequence[State], number: int, look: Callable[[Key, array[int]], None]
) -> tuple[array[int], list[LogLine]]:
    """Run the step that leads to a state, and call `look` with the cells at each block and after each statement."""
    after = states[number]
    counted: Counter[int] = Counter()
    log: list[LogLine] = []
    drawn = 0

    def watch(part: object, now: array[int]) -> None:
        if now is cells:  # a search for possible options works with copies
            counted[id(part)] += 1
            look((id(part), counted[id(part)], drawn, len(log)), cells)

    engine = Reference(after.compiled.program, watcher=watch)
    cells = after.compiled.begin() if number == 0 else states[number - 1].cells[:]
    if number:
        engine.advance(cells, after.choice, log)
    for result in after.drawn:
        if not 0 <= result.result < cells[BOUND]:
            break
        drawn += 1
        engine.advance(cells, result.result, log)
    return cells, log


def at_chances(states: Sequence[State], number: int) -> Iterator[array[int]]:
    """Yield the cells at each chance event in the step that leads to a state.

    The cells change afterwards, so the caller must copy them to keep them.
    """
    after = states[number]
    compiled = after.compiled
    if number == 0:
        cells = compiled.engine.start()
        compiled.run(cells, None)
    else:
        cells = states[number - 1].cells[:]
        compiled.advance(cells, after.choice)
    for result in after.drawn:
        yield cells
        compiled.advance(cells, result.result)
