"""Counts the sequences of choices of rules that are written as a function in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias, TypeVar

R = TypeVar("R")
Ask: TypeAlias = Callable[[int], int]
"""Asks for one of this many options, and returns its number, from 0."""
Rules: TypeAlias = Callable[[Ask], R]


class _UnansweredError(Exception):
    """A decision that a sequence does not answer."""


def counts(rules: Rules[object], depth: int) -> list[int]:
    """The numbers of sequences of 1, 2, ... `depth` choices.

    The rules are called once for each shorter sequence, and answered from it."""
    sequences: list[tuple[int, ...]] = [()]
    found = []
    for _ in range(depth):
        sequences = [
            (*sequence, answer)
            for sequence in sequences
            for answer in range(_after(rules, sequence, Counter()))
        ]
        found.append(len(sequences))
    return found


def results(rules: Rules[R]) -> Counter[R]:
    """The number of whole matches with each result, for small games."""
    found: Counter[R] = Counter()
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        sequence = waiting.pop()
        waiting += [(*sequence, answer) for answer in range(_after(rules, sequence, found))]
    return found


def _after(rules: Rules[R], sequence: tuple[int, ...], ends: Counter[R]) -> int:
    """The number of options of the next decision; without one, the result is counted among the ends."""
    answers = iter(sequence)
    options = 0

    def ask(number: int) -> int:
        nonlocal options
        options = number
        answer = next(answers, None)
        if answer is None:
            raise _UnansweredError
        return answer

    try:
        result = rules(ask)
    except _UnansweredError:
        return options
    ends[result] += 1
    return 0
