"""Format statistics of analysed matches, as text and as data: their course, and the worth of things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten, wrap

from rulewright.cli.formats.bars import bar, bars
from rulewright.cli.formats.words import (
    difference_data,
    percent,
    plain,
    points_more,
    round_for_data,
    spread_data,
    spread_text,
    with_sign,
)
from rulewright.interpreter.simulation.playtest import Playtest
from rulewright.interpreter.statistics.contrast import Difference
from rulewright.interpreter.statistics.course import SLICES, Course
from rulewright.interpreter.statistics.usage import Finding, Uses
from rulewright.interpreter.text.columns import table

_NAME = 34
_MOST = 20
_WIDTH = 80


def watched_data(study: Playtest) -> dict[str, object]:
    """Return the statistics as data; `rulewright simulate --help` and `docs/playtesting.md` describe the
    shape.
    """
    course, uses = study.course, study.uses
    return {
        "turns": spread_data(course.turns),
        "rounds": spread_data(course.rounds),
        "decisions": [spread_data(spread) for spread in course.decisions],
        "choices": [spread_data(spread) for spread in course.choices],
        "lead_changes": spread_data(course.lead_changes),
        "settled": spread_data(course.settled),
        "curve": [
            {
                "part": point / SLICES,
                "seats": [round_for_data(spread.mean) for spread in score.seats],
                "winners": round_for_data(score.winners.mean),
                "losers": round_for_data(score.losers.mean),
                "led": course.led[point],
                "led_won": course.led_won[point],
            }
            for point, score in enumerate(course.curve)
            if course.lead_changes.count
        ],
        "uses": [finding_data(finding) for finding in uses.by_worth()],
        "never": [
            {"sort": thing.sort, "name": thing.name, "seen": use.seen, "offered": use.offered}
            for thing, use in uses.never
        ],
    }


def finding_data(finding: Finding) -> dict[str, object]:
    """Return the use and the worth of one thing as data."""
    thing, use = finding.thing, finding.use
    return {
        "sort": thing.sort,
        "name": thing.name,
        "seen": use.seen,
        "offered": use.offered,
        "taken": use.taken,
        "held": use.held,
        "times_offered": use.times_offered,
        "times_taken": use.times_taken,
        "when": spread_data(use.when),
        "compared": finding.how,
        "wins": difference_data(finding.wins),
        "points": difference_data(finding.points),
        "stands_out": finding.stands_out,
    }


def watched_text(names: Sequence[str], study: Playtest) -> Iterator[str]:
    """Yield lines about the course of matches, and about the use of cards and options."""
    yield from _course(names, study.course)
    yield from _uses(study.uses)


def _course(names: Sequence[str], course: Course) -> Iterator[str]:
    yield ""
    yield f"turns in a game: {spread_text(course.turns)}"
    yield f"rounds in a game: {spread_text(course.rounds)}"
    yield from bars(course.rounds)
    yield ""
    rows = [("", "decisions", "with more than one option")]
    for name, decisions, choices in zip(names, course.decisions, course.choices, strict=True):
        rows.append((name, spread_text(decisions), spread_text(choices)))
    yield from table(rows)
    if not course.lead_changes.count:
        return
    yield ""
    yield f"the lead changes: {spread_text(course.lead_changes)} times"
    if course.settled.count:
        half, most = course.settled.quantiles((0.5, 0.9))
        yield (
            f"in half of the games the winner had taken the lead for good by {half / 10:.0f} % of the way; "
            f"in 9 of 10 by {most / 10:.0f} %"
        )
    yield ""
    yield "score over the course of the game, and how often the leader goes on to win"
    head = ("", *names, "winners", "losers", "leader wins")
    yield from table([head, *_points(course)], left=1)


def _points(course: Course) -> Iterator[tuple[str, ...]]:
    for point in range(0, SLICES + 1, 2):
        score = course.curve[point]
        led, won = course.led[point], course.led_won[point]
        yield (
            f"{100 * point // SLICES:3} %",
            *(plain(spread.mean) for spread in score.seats),
            plain(score.winners.mean),
            plain(score.losers.mean),
            f"{percent(won / led)} {bar(won, led, 10):<10}" if led else "-",
        )


def _uses(uses: Uses) -> Iterator[str]:
    found = uses.by_worth()
    for title, rows in (
        ("cards, tiles and other rows", [each for each in found if each.thing.is_row]),
        ("actions and options", [each for each in found if not each.thing.is_row]),
    ):
        if rows:
            yield ""
            yield f"{title}: in how many games, when, and with which results (* beyond chance)"
            head = ("", "there", "taken", "had", "when", "compared", "wins", "points")
            yield from table([head, *map(_row, rows[:_MOST])])
            if len(rows) > _MOST:
                yield f"and {len(rows) - _MOST} more, listed by --format json and --report"
    never = uses.never
    if never:
        yield ""
        said = ", ".join(f"{thing.text}" for thing, _ in never[: 2 * _MOST])
        more = f", and {len(never) - 2 * _MOST} more" if len(never) > 2 * _MOST else ""
        yield from wrap(f"never taken, and never with anybody: {said}{more}", _WIDTH)


def _row(finding: Finding) -> tuple[str, ...]:
    use = finding.use
    when = f"{use.when.mean / 10:.0f} %" if use.when.count else ""
    return (
        shorten(finding.thing.text, _NAME, placeholder=" ..."),
        f"{use.seen:,}",
        f"{use.taken:,}",
        f"{use.held:,}",
        when,
        finding.how,
        _share(finding.wins) + (" *" if finding.stands_out else "  "),
        _amount(finding.points),
    )


def _share(found: Difference | None) -> str:
    if found is None:
        return "-"
    low, high = found.interval
    return f"{points_more(found.amount)} ({points_more(low)} .. {points_more(high)})"


def _amount(found: Difference | None) -> str:
    return "-" if found is None else with_sign(found.amount)
