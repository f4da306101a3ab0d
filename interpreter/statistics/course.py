"""Sums up the course of matches: turns, rounds, choices, leaders, and when the result is settled."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.dsl.ir import Program
from rulewright.interpreter.statistics.distribution import Spread
from rulewright.interpreter.statistics.recording import PlayoutRecord
from rulewright.interpreter.statistics.tally import Score

SLICES = 20
"""The number of equal parts into which statistics divide the course of a match."""


@attrs.define
class Course:
    """The course of several matches.

    A turn is a series of choices of one seat. A round ends when a seat that has had a turn in the
    round begins another turn. For each seat, `choices` counts the decisions that have more than one
    option. `settled` is the time at which the winner took the lead for good, in thousandths of a
    match. For each twentieth of a match, `led` counts the matches with a sole leader, and `led_won`
    counts those that the leader then won.
    """

    turns: Spread
    rounds: Spread
    decisions: list[Spread]
    choices: list[Spread]
    lead_changes: Spread
    settled: Spread
    curve: list[Score]
    led: list[int]
    led_won: list[int]

    @classmethod
    def empty(cls, program: Program) -> Course:
        """Return the course of no matches."""
        seats = range(program.seats)
        points = range(SLICES + 1)
        return cls(
            Spread(),
            Spread(),
            [Spread() for _ in seats],
            [Spread() for _ in seats],
            Spread(),
            Spread(),
            [Score.of(program.seats) for _ in points],
            [0 for _ in points],
            [0 for _ in points],
        )

    def add(self, record: PlayoutRecord) -> None:
        """Add a finished match."""
        self.turns.add(record.turns)
        self.rounds.add(record.rounds)
        for seat in range(len(self.decisions)):
            mine = [each for each in record.decided if each.seat == seat]
            self.decisions[seat].add(len(mine))
            self.choices[seat].add(sum(each.options > 1 for each in mine))
        if record.standings:
            self.lead_changes.add(lead_changes(record))
            settled = settled_at(record)
            if settled is not None:
                self.settled.add(settled)
            self._follow(record)

    def _follow(self, record: PlayoutRecord) -> None:
        length = len(record.decided)
        place = 0
        for point in range(SLICES + 1):
            until = length * point / SLICES
            while (
                place + 1 < len(record.standings) and record.standings[place + 1].decisions <= until
            ):
                place += 1
            totals = record.standings[place].totals
            self.curve[point].add(totals, record.winners)
            leader = leader_of(totals)
            if leader is not None:
                self.led[point] += 1
                self.led_won[point] += leader in record.winners

    def join(self, other: Course) -> None:
        """Add other matches."""
        self.turns.join(other.turns)
        self.rounds.join(other.rounds)
        for mine, theirs in (
            *zip(self.decisions, other.decisions, strict=True),
            *zip(self.choices, other.choices, strict=True),
        ):
            mine.join(theirs)
        self.lead_changes.join(other.lead_changes)
        self.settled.join(other.settled)
        for score, more in zip(self.curve, other.curve, strict=True):
            score.join(more)
        for counts, others in ((self.led, other.led), (self.led_won, other.led_won)):
            counts[:] = [a + b for a, b in zip(counts, others, strict=True)]


def leader_of(totals: Sequence[int]) -> int | None:
    """If a single seat has the most points, return the seat, otherwise None."""
    most = max(totals)
    leaders = [seat for seat, total in enumerate(totals) if total == most]
    return leaders[0] if len(leaders) == 1 else None


def lead_changes(record: PlayoutRecord) -> int:
    """Count how often the sole leader has changed."""
    changes, last = 0, None
    for standing in record.standings:
        leader = leader_of(standing.totals)
        if leader is not None:
            changes += last is not None and leader != last
            last = leader
    return changes


def settled_at(record: PlayoutRecord) -> int | None:
    """Return the time from which the only winner led for good, in thousandths of the match.

    Returns None if several seats or none have won, or if the winner does not have the most points
    at the end.
    """
    if len(record.winners) != 1:
        return None
    (winner,) = record.winners
    since = None
    for standing in record.standings:
        if standing.totals[winner] < max(standing.totals) or leader_of(standing.totals) is None:
            since = None
        elif since is None:
            since = standing.decisions
    return None if since is None else since * 1000 // max(1, len(record.decided))
