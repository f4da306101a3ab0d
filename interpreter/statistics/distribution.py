"""Counts the frequency of each number, and computes statistics: mean, deviation, quantiles and bars.

Integers are counted exactly, so the result does not depend on the order in which they are added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

import attrs

from rulewright.interpreter.statistics.intervals import mean_interval, quantiles_of


@attrs.define
class Spread:
    """A collection of numbers, each with its frequency."""

    counts: dict[int, int] = attrs.field(factory=dict)

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Spread:
        """Return the distribution of the given numbers."""
        found = cls()
        for number in numbers:
            found.add(number)
        return found

    def add(self, number: int, times: int = 1) -> None:
        """Add a number `times` times."""
        self.counts[number] = self.counts.get(number, 0) + times

    def join(self, other: Spread) -> None:
        """Add the numbers of another distribution."""
        for number, times in other.counts.items():
            self.counts[number] = self.counts.get(number, 0) + times

    @property
    def ordered(self) -> list[tuple[int, int]]:
        """Return pairs of a number and its frequency, sorted by number."""
        return sorted(self.counts.items())

    @property
    def count(self) -> int:
        """Return how many numbers there are. Equal numbers are counted separately."""
        return sum(self.counts.values())

    @property
    def total(self) -> int:
        """Return the sum of the numbers."""
        return sum(number * times for number, times in self.counts.items())

    @property
    def squares(self) -> int:
        """Return the sum of the squares of the numbers."""
        return sum(number * number * times for number, times in self.counts.items())

    @property
    def low(self) -> int | None:
        """Return the smallest number, or None if there are no numbers."""
        return min(self.counts, default=None)

    @property
    def high(self) -> int | None:
        """Return the largest number, or None if there are no numbers."""
        return max(self.counts, default=None)

    @property
    def mean(self) -> float:
        """Return the mean, or 0 if there are no numbers."""
        count = self.count
        return self.total / count if count else 0.0

    @property
    def deviation(self) -> float:
        """Return the standard deviation, or 0 if there are no numbers."""
        count = self.count
        if not count:
            return 0.0
        return sqrt(max(0, self.squares * count - self.total**2)) / count

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the interval of the true mean, or None if there are fewer than two numbers."""
        return mean_interval(self.count, self.total, self.squares)

    def quantiles(self, shares: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)) -> list[int]:
        """Return, for each proportion, the smallest number that this proportion of the numbers does not exceed."""
        return quantiles_of(self.ordered, shares)

    def bars(self, most: int) -> list[tuple[int, int, int]]:
        """Return at most `most` bars of equal width, each as its first number, last number and count."""
        low, high = self.low, self.high
        if low is None or high is None:
            return []
        width = -(-(high - low + 1) // most)
        found = [(first, min(first + width - 1, high), 0) for first in range(low, high + 1, width)]
        for number, times in self.counts.items():
            place = (number - low) // width
            first, last, count = found[place]
            found[place] = first, last, count + times
        return found
