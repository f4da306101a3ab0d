"""Sums up the results of many matches: wins of each seat, scores, margins, lengths, ties and causes.

Tallies of batches can be joined in any order, with the same result as the tally of all matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, repeat

import attrs

from rulewright.dsl.ir import Program
from rulewright.interpreter.engines.results import NOT_OVER, Results
from rulewright.interpreter.statistics.distribution import Spread
from rulewright.interpreter.statistics.endings import Cause, Endings
from rulewright.interpreter.statistics.intervals import equality_chance


@attrs.frozen
class Outcome:
    """The result of a match: the seats of the winners, the items of each seat's score, and the cause of the end."""

    winners: tuple[int, ...]
    items: tuple[tuple[int, ...], ...]
    cause: Cause


@attrs.define
class Score:
    """The points for one item, or the total points. They are counted for each seat, for the winners
    and for the losers."""

    seats: list[Spread]
    winners: Spread = attrs.field(factory=Spread)
    losers: Spread = attrs.field(factory=Spread)

    @classmethod
    def of(cls, seats: int) -> Score:
        """Return the points of no matches."""
        return cls([Spread() for _ in range(seats)])

    def add(self, points: Sequence[int], winners: Sequence[int], times: int = 1) -> None:
        """Add the points of `times` matches with equal points. If nobody won, there are no losers."""
        for seat, number in enumerate(points):
            self.seats[seat].add(number, times)
            if winners:
                (self.winners if seat in winners else self.losers).add(number, times)

    def join(self, other: Score) -> None:
        """Add the points of other matches."""
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.join(theirs)
        self.winners.join(other.winners)
        self.losers.join(other.losers)


def margin(totals: Sequence[int], sides: Sequence[str]) -> int | None:
    """Return the lead of the best side over the second-best side, in points. If there is only one side, return None."""
    best: dict[str, int] = {}
    for side, total in zip(sides, totals, strict=True):
        best[side] = max(total, best.get(side, total))
    if len(best) < 2:
        return None
    most, next_to = sorted(best.values(), reverse=True)[:2]
    return most - next_to


@attrs.define
class Tally:
    """The sums over several matches.

    For each seat, `wins` counts victories of its side alone, and `shared` counts victories that it
    shares with other sides. `ties` counts matches in which several sides had the most points,
    regardless of who won. `together` counts matches that had several sides and were won by all of
    them. `margins` contains the leads of the best side in points. `unfinished` counts the abandoned
    matches, which no other count includes.
    """

    items: tuple[str, ...]
    sides: tuple[str, ...]
    wins: list[int]
    shared: list[int]
    scores: list[Score]
    totals: Score
    plays: int = 0
    unfinished: int = 0
    draws: int = 0
    ties: int = 0
    together: int = 0
    margins: Spread = attrs.field(factory=Spread)
    length: Spread = attrs.field(factory=Spread)
    options: Spread = attrs.field(factory=Spread)
    causes: dict[Cause, int] = attrs.field(factory=dict)

    @classmethod
    def empty(cls, program: Program) -> Tally:
        """Return the sums of no matches."""
        seats = program.seats
        items = tuple(item.text for item in program.score)
        sides = program.sides or tuple(str(seat) for seat in range(seats))
        scores = [Score.of(seats) for _ in items]
        return cls(items, sides, [0] * seats, [0] * seats, scores, Score.of(seats))

    def give_up(self) -> None:
        """Add a match that did not end."""
        self.unfinished += 1

    def add(self, outcome: Outcome, counts: Sequence[int]) -> None:
        """Add a match. `counts` contains the number of options of each of its decisions."""
        self._add(outcome, 1)
        self.length.add(len(counts))
        self.options.join(Spread(Counter(counts)))

    def add_results(self, results: Results, endings: Endings) -> None:
        """Add many matches. Matches with the same end are added together."""
        seats, items = results.seats, len(results.items)
        causes = [endings.of_stack(stack) for stack in results.stacks]
        points = _rows(results.points, seats * items) if items else repeat(())
        plays = zip(results.ends, _rows(results.won, seats), points, strict=False)
        for (end, won, of_seats), times in Counter(plays).items():
            if end == NOT_OVER:
                self.unfinished += times
                continue
            winners = tuple(seat for seat in range(seats) if won[seat])
            of_items = tuple(of_seats[seat * items : (seat + 1) * items] for seat in range(seats))
            self._add(Outcome(winners, of_items, causes[end]), times)
        self.length.join(Spread(Counter(compress(results.lengths, results.over))))
        self.options.join(Spread(results.options))

    def _add(self, outcome: Outcome, times: int) -> None:
        self.plays += times
        winners = outcome.winners
        self.draws += times * (not winners)
        # Partners who win together do not share the victory with another side.
        sides = {self.sides[seat] for seat in winners}
        self.together += times * (len(sides) > 1 and sides == {*self.sides})
        for seat in winners:
            (self.wins if len(sides) < 2 else self.shared)[seat] += times
        for number, score in enumerate(self.scores):
            score.add([each[number] for each in outcome.items], winners, times)
        if self.items:
            totals = [sum(each) for each in outcome.items]
            self.totals.add(totals, winners, times)
            ahead = margin(totals, self.sides)
            if ahead is not None:
                self.margins.add(ahead, times)
                self.ties += times * (ahead == 0)
        self.causes[outcome.cause] = self.causes.get(outcome.cause, 0) + times

    def join(self, other: Tally) -> None:
        """Add the matches of another tally of the same game and variant."""
        self.plays += other.plays
        self.unfinished += other.unfinished
        self.draws += other.draws
        self.ties += other.ties
        self.together += other.together
        for mine, theirs in ((self.wins, other.wins), (self.shared, other.shared)):
            mine[:] = [a + b for a, b in zip(mine, theirs, strict=True)]
        for score, more in zip(self.scores, other.scores, strict=True):
            score.join(more)
        self.totals.join(other.totals)
        self.margins.join(other.margins)
        self.length.join(other.length)
        self.options.join(other.options)
        for cause, times in other.causes.items():
            self.causes[cause] = self.causes.get(cause, 0) + times

    @property
    def forced(self) -> int:
        """Return the number of decisions that had only one option."""
        return self.options.counts.get(1, 0)

    @property
    def side_wins(self) -> dict[str, int]:
        """Return how often each side has won alone."""
        return dict(zip(self.sides, self.wins, strict=True))

    @property
    def is_together(self) -> bool:
        """Return whether all seats together have won some matches, and nobody has won any of the others."""
        return 0 < self.together == self.plays - self.draws

    @property
    def equal_seats_chance(self) -> float | None:
        """Return the probability that chance alone makes the wins differ by at least as much if all
        seats are equally good.

        Returns None if there are too few wins for the test, or only one side.
        """
        return equality_chance(list(self.side_wins.values()))


def _rows(numbers: Iterable[int], width: int) -> Iterator[tuple[int, ...]]:
    """Yield the numbers in groups of `width`."""
    return zip(*[iter(numbers)] * width, strict=True)
