"""Computes the figures of a single match, by name. They are used to compare two versions of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from rulewright.interpreter.statistics.course import lead_changes, settled_at
from rulewright.interpreter.statistics.recording import PlayoutRecord
from rulewright.interpreter.statistics.subjects import Thing
from rulewright.interpreter.statistics.tally import margin


@attrs.frozen(order=True)
class Figure:
    """A figure of a match: something that is true or false (`is_share`), or a number.

    Comparisons of two versions show the figures that are `main` first. Numbers are divided by
    `unit` for display.
    """

    group: str
    name: str
    is_share: bool = attrs.field(default=False, order=False)
    main: bool = attrs.field(default=False, order=False)
    unit: int = attrs.field(default=1, order=False)

    @property
    def text(self) -> str:
        """Return the name of the figure in words."""
        return f"{self.group}: {self.name}" if self.name else self.group


LENGTH = Figure("decisions in a game", "", main=True)
TURNS = Figure("turns in a game", "")
ROUNDS = Figure("rounds in a game", "")
CHOICES = Figure("decisions with more than one option", "")
DRAWS = Figure("draws", "", is_share=True, main=True)
TIES = Figure("ties for most points", "", is_share=True)
MARGIN = Figure("ahead of the next by", "")
CHANGES = Figure("changes of the lead", "")
SETTLED = Figure("part of the game after which the winner leads for good", "", unit=1000)


def measures(
    record: PlayoutRecord,
    names: Sequence[str],
    items: Sequence[str],
    sides: Sequence[str],
    things: Sequence[Thing],
) -> dict[Figure, int]:
    """Return all figures of a finished match. Figures that the match does not have are left out."""
    return dict(_measures(record, names, items, sides, things))


def _measures(
    record: PlayoutRecord,
    names: Sequence[str],
    items: Sequence[str],
    sides: Sequence[str],
    things: Sequence[Thing],
) -> Iterator[tuple[Figure, int]]:
    winners, totals = record.winners, record.totals
    together = len({sides[seat] for seat in winners}) < 2
    for seat, name in enumerate(names):
        yield Figure("wins", name, is_share=True, main=True), int(together and seat in winners)
    yield DRAWS, int(not winners)
    if items:
        seats = len(names)
        yield Figure("points of a seat", "", main=True, unit=seats), sum(totals)
        for number, item in enumerate(items):
            points = [each[number] for each in record.items]
            yield Figure("points of a seat", item, unit=seats), sum(points)
        for seat, name in enumerate(names):
            yield Figure("points of", name), totals[seat]
        ahead = margin(totals, sides)
        if ahead is not None:
            yield MARGIN, ahead
            yield TIES, int(ahead == 0)
    if record.standings:
        yield CHANGES, lead_changes(record)
        settled = settled_at(record)
        if settled is not None:
            yield SETTLED, settled
    yield LENGTH, len(record.decided)
    yield TURNS, record.turns
    yield ROUNDS, record.rounds
    yield CHOICES, sum(each.options > 1 for each in record.decided)
    if record.cause is not None:
        yield Figure("games end by", record.cause.kind, is_share=True), 1
    taken = Counter(thing for each in record.decided for thing in each.taken)
    held = {each.thing for each in record.held if each.seat >= 0}
    for number, times in taken.items():
        yield Figure("games in which is taken", things[number].text, is_share=True), 1
        yield Figure("times a game takes", things[number].text), times
    for number in held - taken.keys():
        yield Figure("games in which somebody has", things[number].text, is_share=True), 1
