"""Compares two versions of a game: estimates how far their figures differ over matches with the
same seeds.

Matches are played in batches, and the figures are tested after each batch. The nth test is allotted
1 / (n (n + 1)) of the error budget of 5 %, so that the total stays at 5 %
(`intervals.sure_of_look`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, isinf, sqrt
from typing import Literal

import attrs

from rulewright.interpreter.statistics.contrast import Difference
from rulewright.interpreter.statistics.intervals import (
    beyond_chance,
    half_width,
    normal_chance,
    plays_for,
    sure_of_look,
)
from rulewright.interpreter.statistics.measures import Figure
from rulewright.interpreter.statistics.subjects import Thing
from rulewright.interpreter.statistics.usage import Uses

Verdict = Literal["differs", "same", "open"]


@attrs.define
class Pairs:
    """Sums over pairs of matches: the sum of the first figures, of the second figures, and of the
    squared differences."""

    count: int = 0
    first: int = 0
    second: int = 0
    squares: int = 0

    def add(self, first: int, second: int) -> None:
        """Add a pair."""
        self.count += 1
        self.first += first
        self.second += second
        self.squares += (second - first) ** 2

    def join(self, other: Pairs) -> None:
        """Add other pairs."""
        self.count += other.count
        self.first += other.first
        self.second += other.second
        self.squares += other.squares


@attrs.define
class Comparison:
    """The figures of two versions over pairs of matches. A pair with an abandoned match is left out."""

    pairs: dict[Figure, Pairs] = attrs.field(factory=dict)
    plays: int = 0
    given_up: int = 0

    def add(self, first: Mapping[Figure, int] | None, second: Mapping[Figure, int] | None) -> None:
        """Add a pair of matches. None means that the match was abandoned."""
        if first is None or second is None:
            self.given_up += 1
            return
        for figure in first.keys() | second.keys():
            if figure.is_share or figure.group == COUNTED:
                self._pairs(figure).add(first.get(figure, 0), second.get(figure, 0))
            elif figure in first and figure in second:
                self._pairs(figure).add(first[figure], second[figure])
        self.plays += 1

    def _pairs(self, figure: Figure) -> Pairs:
        found = self.pairs.get(figure)
        if found is None:
            found = self.pairs[figure] = Pairs()
        return found

    def join(self, other: Comparison) -> None:
        """Add other pairs of matches."""
        self.plays += other.plays
        self.given_up += other.given_up
        for figure, pairs in other.pairs.items():
            self._pairs(figure).join(pairs)

    def changes(self, look: int, wanted: float) -> list[Change]:
        """Return the changes in all figures: significant differences first, main figures before
        other figures.
        """
        figures = sorted(self.pairs)
        many = sum(figure.main for figure in figures)
        found = [self._change(figure, look, many, wanted) for figure in figures]
        sure = beyond_chance([change.chance for change in found])
        return sorted(
            (
                attrs.evolve(each, stands_out=beyond)
                for each, beyond in zip(found, sure, strict=True)
            ),
            key=lambda each: (not each.stands_out, not each.figure.main, each.chance, each.figure),
        )

    def _change(self, figure: Figure, look: int, many: int, wanted: float) -> Change:
        pairs, unit = self.pairs[figure], figure.unit
        # Figures that are 0 in both versions were not recorded.
        count = self.plays if figure.is_share or figure.group == COUNTED else pairs.count
        total, squares = pairs.second - pairs.first, pairs.squares
        first, second = pairs.first / count / unit, pairs.second / count / unit
        if figure.is_share:
            # Add half a pair for each of the four combinations of results, as Agresti and Min do.
            count, squares = count + 2, squares + 1
        sure = sure_of_look(look, many if figure.main else 1)
        half = half_width(count, total, squares, sure) / unit
        narrow = wanted if figure.is_share else wanted * abs(first)
        return Change(
            figure,
            self.plays if figure.is_share else pairs.count,
            first,
            second,
            half,
            min(1.0, _chance(count, total, squares) * look * (look + 1)),
            narrow,
        )


COUNTED = "times a game takes"
"""The name of the group of figures that are 0 if a match does not have them."""


@attrs.frozen
class Change:
    """A figure in both versions, with the interval of the difference. `half` is half its width."""

    figure: Figure
    plays: int
    first: float
    second: float
    half: float
    chance: float
    wanted: float
    stands_out: bool = False

    @property
    def amount(self) -> float:
        """Return the difference of the second version from the first."""
        return self.second - self.first

    @property
    def interval(self) -> tuple[float, float]:
        """Return the interval of the true difference."""
        return self.amount - self.half, self.amount + self.half

    @property
    def verdict(self) -> Verdict:
        """Return the verdict: the versions clearly differ, they clearly do not differ enough to
        matter, or neither is clear."""
        low, high = self.interval
        if low > 0 or high < 0:
            return "differs"
        return "same" if max(-low, high) <= self.wanted else "open"

    @property
    def more(self) -> float:
        """Return how many more matches are needed to make the interval as narrow as wanted and the verdict clear.

        Returns infinity if no number is enough. It is assumed that the difference does not change.
        """
        amount = abs(self.amount)
        narrow = min(self.wanted, max(amount, self.wanted - amount))
        needed = plays_for(self.half, self.plays, narrow)
        return inf if isinf(needed) else max(0.0, needed - self.plays)


def is_clear(changes: Iterable[Change]) -> bool:
    """Return whether the verdicts on all main figures are clear."""
    return all(each.verdict != "open" for each in changes if each.figure.main)


def _chance(count: int, total: int, squares: int) -> float:
    half = half_width(count, total, squares)
    if isinf(half):
        return 1.0
    if not half:
        return 1.0 if not total else 0.0
    # Use the value of the normal distribution that has the same tail probability.
    return normal_chance(1.96 * abs(total / count) / half)


@attrs.frozen
class WorthChange:
    """The value of a thing in both versions: how much more often a seat wins if it takes the
    thing.
    """

    thing: Thing
    how: str
    first: Difference
    second: Difference
    stands_out: bool = False

    @property
    def amount(self) -> float:
        """Return the additional value in the second version."""
        return self.second.amount - self.first.amount

    @property
    def deviation(self) -> float:
        """Return the standard deviation of `amount`, as if the versions had different seeds."""
        return sqrt(self.first.deviation**2 + self.second.deviation**2)

    @property
    def interval(self) -> tuple[float, float]:
        """Return the interval of the true difference."""
        half = 1.96 * self.deviation
        return self.amount - half, self.amount + half

    @property
    def chance(self) -> float:
        """Return the probability that chance alone causes a difference at least as large."""
        return normal_chance(self.amount / self.deviation) if self.deviation else 1.0


def worth_changes(first: Uses, second: Uses, look: int) -> list[WorthChange]:
    """Return the changes in the value of things that both versions have. Significant differences come first."""
    then = {finding.thing: finding for finding in first.by_worth()}
    found = []
    for finding in second.by_worth():
        old = then.get(finding.thing)
        if old is None or old.how != finding.how or old.wins is None or finding.wins is None:
            continue
        found.append(WorthChange(finding.thing, finding.how, old.wins, finding.wins))
    sure = beyond_chance([min(1.0, each.chance * look * (look + 1)) for each in found])
    return sorted(
        (attrs.evolve(each, stands_out=beyond) for each, beyond in zip(found, sure, strict=True)),
        key=lambda each: (not each.stands_out, each.chance, each.thing),
    )
