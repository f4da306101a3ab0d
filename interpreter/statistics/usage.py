"""Measures how each card, tile, action and option is used: whether it is seen, offered or taken,
when it is taken, and what it is worth.

The value is measured by comparing seats that took a thing with seats that could have taken it and
did not. The result is a correlation. It does not show that taking the thing causes the difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulewright.interpreter.statistics.contrast import Contrast, Difference
from rulewright.interpreter.statistics.distribution import Spread
from rulewright.interpreter.statistics.intervals import beyond_chance
from rulewright.interpreter.statistics.recording import PlayoutRecord
from rulewright.interpreter.statistics.subjects import Thing


@attrs.define
class Worth:
    """The probability of winning and the points of two groups of seats."""

    wins: Contrast = attrs.field(factory=Contrast)
    points: Contrast = attrs.field(factory=Contrast)

    def add(self, first: Iterable[int], second: Iterable[int], record: PlayoutRecord) -> None:
        """Add the two groups of seats in a match."""
        mine, others = tuple(first), tuple(second)
        if not mine and not others:
            return
        a, b = len(mine), len(others)
        winners, totals = record.winners, record.totals
        self.wins.add(
            a, sum(seat in winners for seat in mine), b, sum(seat in winners for seat in others)
        )
        if record.items[0]:  # the game has a score
            self.points.add(a, sum(totals[s] for s in mine), b, sum(totals[s] for s in others))

    def join(self, other: Worth) -> None:
        """Add the matches of another comparison."""
        self.wins.join(other.wins)
        self.points.join(other.points)


@attrs.define
class Use:
    """The use of one thing in several matches.

    Some fields count matches: `seen` (offered to a player, owned by a player, or visible on the
    table), `offered`, `taken`, and `held` (owned by a player). The fields `times_offered` and
    `times_taken` count decisions. `when` is how far into the match the thing was taken, in
    thousandths of the match. `taking` compares seats that took the thing with seats that were
    offered the thing but did not take it. `more` compares, within a match, seats that took it more
    often with seats that took it less often. `having` compares seats that had the thing with the
    other seats of the same match.
    """

    seen: int = 0
    offered: int = 0
    taken: int = 0
    held: int = 0
    times_offered: int = 0
    times_taken: int = 0
    when: Spread = attrs.field(factory=Spread)
    taking: Worth = attrs.field(factory=Worth)
    more: Worth = attrs.field(factory=Worth)
    having: Worth = attrs.field(factory=Worth)

    def join(self, other: Use) -> None:
        """Add the matches of another count."""
        self.seen += other.seen
        self.offered += other.offered
        self.taken += other.taken
        self.held += other.held
        self.times_offered += other.times_offered
        self.times_taken += other.times_taken
        self.when.join(other.when)
        self.taking.join(other.taking)
        self.more.join(other.more)
        self.having.join(other.having)

    @property
    def worth(self) -> tuple[str, Worth]:
        """Return the comparison that best shows the value of the thing, preceded by the name of the comparison.

        The name is `taken`, `more often` or `had`.
        """
        if not self.times_offered:
            return "had", self.having
        taking, more = self.taking.wins, self.more.wins
        sure = min(taking.plays_a, taking.plays_b)
        if min(more.plays_a, more.plays_b) > 4 * sure:
            return "more often", self.more
        return "taken", self.taking


@attrs.define
class Uses:
    """The use of all things in several matches. `usable` contains the things that players can use."""

    things: tuple[Thing, ...]
    usable: frozenset[int]
    uses: dict[int, Use] = attrs.field(factory=dict)

    def of(self, thing: int) -> Use:
        """Return the use of a thing, or an empty use if the thing was never seen."""
        found = self.uses.get(thing)
        return Use() if found is None else found

    def add(self, record: PlayoutRecord) -> None:
        """Add a finished match."""
        offered: dict[int, Counter[int]] = {}
        taken: dict[int, Counter[int]] = {}
        held: dict[int, set[int]] = {}
        length = max(1, len(record.decided))
        for number, decided in enumerate(record.decided):
            seat = decided.seat
            for thing in decided.offered:
                offered.setdefault(thing, Counter())[seat] += 1
            for thing in decided.taken:
                taken.setdefault(thing, Counter())[seat] += 1
                self._use(thing).when.add(number * 1000 // length)
        for each in record.held:
            held.setdefault(each.thing, set()).add(each.seat)
        seats = range(len(record.items))
        for thing in offered.keys() | held.keys():
            use = self._use(thing)
            mine, there = taken.get(thing, _NONE), offered.get(thing, _NONE)
            having = held.get(thing, _NOBODY) - {-1}
            use.seen += 1
            use.offered += bool(there)
            use.taken += bool(mine)
            use.held += bool(having)
            use.times_offered += there.total()
            use.times_taken += mine.total()
            use.taking.add(mine, (seat for seat in there if not mine[seat]), record)
            use.having.add(having, (seat for seat in seats if seat not in having), record)
            if mine.total() > 1:
                use.more.add(*_by_number(mine, there), record)

    def _use(self, thing: int) -> Use:
        found = self.uses.get(thing)
        if found is None:
            found = self.uses[thing] = Use()
        return found

    def join(self, other: Uses) -> None:
        """Add the matches of another count."""
        for thing, use in other.uses.items():
            self._use(thing).join(use)

    @property
    def never(self) -> list[tuple[Thing, Use]]:
        """Return the things that could have been taken or owned but never were, in the order of the rules."""
        return [
            (thing, use)
            for number, thing in enumerate(self.things)
            if number in self.usable and not (use := self.of(number)).taken and not use.held
        ]

    def by_worth(self) -> list[Finding]:
        """Return the findings for things that were taken or owned. Significant findings come first."""
        found = []
        for number, thing in enumerate(self.things):
            use = self.of(number)
            if use.taken or use.held:
                how, worth = use.worth
                wins = worth.wins.difference(is_share=True)
                points = worth.points.difference(is_share=False)
                found.append(Finding(thing, use, how, wins, points))
        compared = [each for each in found if each.wins is not None]
        sure = beyond_chance([each.chance for each in compared])
        stands = {id(each) for each, beyond in zip(compared, sure, strict=True) if beyond}
        out = [attrs.evolve(each, stands_out=id(each) in stands) for each in found]
        return sorted(
            out,
            key=lambda each: (not each.stands_out, each.chance, each.thing.sort, each.thing.name),
        )


_NONE: Counter[int] = Counter()
_NOBODY: set[int] = set()


@attrs.frozen
class Finding:
    """A finding about the value of a thing: in what way the compared groups differ (`how`), and by how much."""

    thing: Thing
    use: Use
    how: str
    wins: Difference | None
    points: Difference | None
    stands_out: bool = False

    @property
    def chance(self) -> float:
        """Return the probability that chance alone makes the wins differ by at least as much."""
        return 1.0 if self.wins is None else self.wins.chance


def _by_number(
    taken: Mapping[int, int], there: Sequence[int] | Mapping[int, int]
) -> tuple[list[int], list[int]]:
    """Split the seats that could take a thing.

    Returns the seats that took it more often than these seats did on average, and the seats that
    took it less often.
    """
    total, count = sum(taken.values()), len(there)
    oftener = [seat for seat in there if taken.get(seat, 0) * count > total]
    rarer = [seat for seat in there if taken.get(seat, 0) * count < total]
    return oftener, rarer
