"""Write the report of simulated matches: its sections, their order and their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.cli.formats.simulation import causes_of, scores_of
from rulewright.cli.formats.words import (
    percent,
    plain,
    points_more,
    seats_words,
    spread_text,
    variant_words,
    with_sign,
)
from rulewright.cli.jobs.runs import Run
from rulewright.cli.report import charts
from rulewright.cli.report.page import bullets, figure, heading, page, paragraph, table
from rulewright.cli.report.rules import Reach
from rulewright.cli.report.svg import draw
from rulewright.interpreter.simulation.playtest import Playtest
from rulewright.interpreter.statistics.contrast import Difference
from rulewright.interpreter.statistics.course import SLICES
from rulewright.interpreter.statistics.distribution import Spread
from rulewright.interpreter.statistics.intervals import SURE, wilson
from rulewright.interpreter.statistics.tally import Tally
from rulewright.interpreter.statistics.usage import Finding

Section = tuple[str, list[str]]


def report(runs: Sequence[tuple[Run, Reach]]) -> str:
    """Write the whole page; with several variants, the first section is a table that compares them."""
    title = runs[0][0].about.title
    sections: list[Section] = []
    links: list[str] = []
    if len(runs) > 1:
        name = "The variants side by side"
        links.append(name)
        sections.append((name, [_side_by_side([run for run, _ in runs])]))
    for run, reach in runs:
        found = [(name, parts) for name, parts in _sections(run, reach) if parts]
        if len(runs) > 1:
            words = variant_words(run.about.variant)
            found = [(f"{name}: {words}", parts) for name, parts in found]
            links.append(words)
            links += [""] * (len(found) - 1)
        else:
            links += [name for name, _ in found]
        sections += found
    games = sum(run.done.tally.plays for run, _ in runs)
    first = runs[0][0].about.seed
    of = (
        "recorded games."
        if first is None
        else f"games from seed {first} on. The same seeds give the same report."
    )
    foot = (
        f"{games:,} {of} "
        "Intervals contain the true value in 95 of 100 cases. A link of a thing with winning does not prove a cause."
    )
    return page(f"{title}: what {games:,} games say", sections, links, foot)


def _sections(run: Run, reach: Reach) -> Iterator[Section]:
    study = run.done.study
    assert study is not None
    yield "Who wins", list(_who_wins(run))
    yield "Points", list(_points(run))
    yield "Length", list(_length(run, study))
    yield "Course of the games", list(_course(run, study))
    yield "How games end", [_ends(run)]
    yield "Cards, tiles and other rows", list(_uses(run, study, rows=True))
    yield "Actions and options", list(_uses(run, study, rows=False))
    yield "What never happened", list(_never(study))
    yield "Rules and clauses", list(_rules(reach))


def _side_by_side(runs: Sequence[Run]) -> str:
    rows = []
    for run in runs:
        tally = run.done.tally
        shares = ", ".join(percent(wins / max(1, tally.plays)) for wins in tally.wins)
        rows.append(
            (
                variant_words(run.about.variant),
                shares,
                percent(tally.draws / max(1, tally.plays)),
                f"{_all(tally.totals.seats).mean:.1f}" if tally.items else "-",
                f"{tally.length.mean:.1f}",
                _equal_seats(tally),
            )
        )
    head = ("variant", "wins by seat", "draws", "points", "decisions", "seats differ")
    return table("All variants", head, rows)


def _equal_seats(tally: Tally) -> str:
    chance = tally.equal_seats_chance
    if chance is None:
        return "too few to say"
    return "beyond chance" if chance < 1 - SURE else "within chance"


def _who_wins(run: Run) -> Iterator[str]:
    tally, about = run.done.tally, run.about
    bots = ", ".join(f"{name}: {bot}" for name, bot in zip(about.called, about.bots, strict=True))
    yield paragraph(
        f"{tally.plays:,} games, {variant_words(about.variant)}; played by {bots}.", lead=True
    )
    said = seats_words(tally)
    yield paragraph(f"{said[:1].upper()}{said[1:]}.", lead=True)
    if not tally.plays:
        return
    label = "share of wins by seat, with intervals"
    yield figure(
        draw(charts.seats_chart(about.called, tally), label),
        "Share of wins by seat, with the interval that contains the true share in 95 of 100 cases. "
        "Dashed line: an equal share for every seat.",
    )
    rows = []
    for seat, name in enumerate(about.called):
        low, high = wilson(tally.wins[seat], tally.plays)
        rows.append(
            (
                name,
                about.bots[seat],
                f"{tally.wins[seat]:,}",
                percent(tally.wins[seat] / tally.plays),
                f"{percent(low)} .. {percent(high)}",
                f"{tally.shared[seat]:,}",
            )
        )
    yield table("Wins", ("seat", "bot", "wins", "share", "95 % interval", "shared"), rows)
    notes = [f"draws: {tally.draws:,}", f"ties for most points, whoever won: {tally.ties:,}"]
    if tally.is_together:
        share = percent(tally.together / tally.plays)
        notes = [f"all won together: {tally.together:,} ({share})", f"nobody won: {tally.draws:,}"]
    if tally.unfinished:
        notes.append(f"given up because they did not end: {tally.unfinished:,}")
    yield bullets(notes)


def _points(run: Run) -> Iterator[str]:
    tally, about = run.done.tally, run.about
    if not tally.items or not tally.plays:
        return
    if tally.totals.losers.count:
        yield figure(
            draw(charts.totals_chart(tally.totals), "points of winners and losers"),
            "Points at the end, of winners and of losers.",
        )
    if len(tally.items) > 1 and tally.totals.losers.count:
        yield figure(
            draw(charts.items_chart(tally), "where points come from, winners and losers"),
            "Where the points of winners and losers come from, on average.",
        )
    rows = [
        (item, *(spread_text(spread) for spread in score.seats)) for item, score in scores_of(tally)
    ]
    yield table("Points of each seat: mean (lowest .. highest)", ("item", *about.called), rows)
    if tally.totals.losers.count:
        head = ("item", "winners", "deviation", "middle half", "losers", "deviation", "middle half")
        both = []
        for item, score in scores_of(tally):
            row = [item]
            for spread in (score.winners, score.losers):
                row += _wide(spread)
            both.append(row)
        yield table("Winners beside losers", head, both)
    if tally.margins.count:
        yield figure(
            draw(charts.spread_chart(tally.margins, "points ahead of the next"), "margins"),
            f"By how many points the best side is ahead: {spread_text(tally.margins)}.",
        )


def _wide(spread: Spread) -> list[str]:
    low, high = spread.quantiles((0.25, 0.75))
    return [plain(spread.mean), plain(spread.deviation), f"{low} .. {high}"]


def _length(run: Run, study: Playtest) -> Iterator[str]:
    tally, course = run.done.tally, study.course
    if not tally.plays:
        return
    for spread, word in ((tally.length, "decisions"), (course.rounds, "rounds")):
        if spread.low != spread.high:
            yield figure(
                draw(charts.spread_chart(spread, f"{word} in a game"), f"{word} in a game"),
                f"{word.capitalize()} in a game: {spread_text(spread)}.",
            )
    counted = (
        ("decisions", tally.length),
        ("turns", course.turns),
        ("rounds", course.rounds),
        ("options of a decision", tally.options),
    )
    yield table(
        "Lengths",
        ("in a game", "mean (lowest .. highest)", "deviation", "middle half"),
        [(word, spread_text(spread), *_wide(spread)[1:]) for word, spread in counted],
    )
    rows = [
        (name, spread_text(decisions), spread_text(choices))
        for name, decisions, choices in zip(
            run.about.called, course.decisions, course.choices, strict=True
        )
    ]
    head = ("seat", "decisions", "with more than one option")
    yield table("Decisions of each seat in a game", head, rows)
    yield paragraph(
        f"Of all decisions, {percent(tally.forced / max(1, tally.length.total))} had one option only."
    )


def _course(run: Run, study: Playtest) -> Iterator[str]:
    course = study.course
    if not course.lead_changes.count:
        return
    names = run.about.called
    yield figure(
        draw(charts.curve_chart(names, course), "mean totals over the game"),
        "Points over the game: of each seat, of those who will win and of those who will lose.",
    )
    yield figure(
        draw(charts.leaders_chart(course), "how often the leader wins"),
        "How often a seat that leads alone will win, by the part of the game that is played.",
    )
    notes = [f"the lead changes {spread_text(course.lead_changes)} times in a game"]
    if course.settled.count:
        half, most = course.settled.quantiles((0.5, 0.9))
        notes.append(
            f"in half of the games the winner had taken the lead for good by {half / 10:.0f} % of the way; "
            f"in 9 of 10 by {most / 10:.0f} %"
        )
    yield bullets(notes)
    rows = []
    for point in range(0, SLICES + 1, 2):
        score, led = course.curve[point], course.led[point]
        rows.append(
            (
                f"{100 * point // SLICES} %",
                *(plain(spread.mean) for spread in score.seats),
                plain(score.winners.mean),
                plain(score.losers.mean),
                percent(course.led_won[point] / led) if led else "-",
            )
        )
    head = ("part of the game", *names, "winners", "losers", "leader wins")
    yield table("Mean totals over the game", head, rows)


def _ends(run: Run) -> str:
    tally = run.done.tally
    rows = [
        (cause.text, f"{times:,}", percent(times / tally.plays))
        for cause, times in causes_of(tally)
    ]
    return table("How the games ended", ("cause", "games", "share"), rows)


def _uses(run: Run, study: Playtest, *, rows: bool) -> Iterator[str]:
    found = [each for each in study.uses.by_worth() if each.thing.is_row == rows]
    if not found:
        return
    plays = run.done.tally.plays
    if any(each.wins is not None for each in found):
        yield figure(
            draw(charts.uses_chart(found, plays), "use and worth, with names"),
            "Farther right: used in more games. Above the line: players who took it win more often than "
            "players who could have, with the interval. The clearest ones have labels.",
        )
    out = [each for each in found if each.stands_out]
    names = ", ".join(each.thing.text for each in out[:12])
    yield paragraph(f"Beyond chance: {names}." if out else "Nothing stands out beyond chance.")
    head = (
        "what",
        "there",
        "taken",
        "had",
        "when",
        "compared",
        "wins more often by",
        "95 % interval",
        "points more",
        "95 % interval",
    )
    yield table(
        "Number of games in which it was there, was taken, was had; marked: beyond chance",
        head,
        [_row(each) for each in found],
        [each.stands_out for each in found],
    )


def _row(finding: Finding) -> tuple[str, ...]:
    use, wins, points = finding.use, finding.wins, finding.points
    return (
        finding.thing.text,
        f"{use.seen:,}",
        f"{use.taken:,}",
        f"{use.held:,}",
        f"{use.when.mean / 10:.0f} %" if use.when.count else "",
        finding.how,
        "-" if wins is None else points_more(wins.amount),
        "-" if wins is None else _interval(wins),
        "-" if points is None else with_sign(points.amount),
        "-" if points is None else " .. ".join(map(with_sign, points.interval)),
    )


def _interval(found: Difference) -> str:
    low, high = found.interval
    return f"{points_more(low)} .. {points_more(high)}"


def _never(study: Playtest) -> Iterator[str]:
    never = study.uses.never
    if not never:
        yield paragraph("Everything that was offered was taken in some game.")
        return
    rows = [(thing.text, f"{use.seen:,}", f"{use.offered:,}") for thing, use in never]
    yield table(
        "Never taken, and never with anybody",
        ("what", "there, in games", "offered, in games"),
        rows,
    )


def _rules(reach: Reach) -> Iterator[str]:
    yield paragraph(f"Counted in the first {reach.plays:,} games.")
    if reach.clauses:
        never = [each for each in reach.clauses if each.fired == 0]
        yield heading("Clauses of the rulebook")
        yield paragraph(
            f"{len(reach.clauses)} clauses; {len(never)} of the clauses with rules were never reached."
        )
        yield table(
            "Number of games in which a rule of the clause was reached; marked: none",
            ("clause", "says", "games"),
            [
                (each.id, each.text, "-" if each.fired is None else f"{each.fired:,}")
                for each in reach.clauses
            ],
            [each.fired == 0 for each in reach.clauses],
        )
    yield heading("Lines that were never reached")
    if reach.never:
        yield table(
            f"{len(reach.never)} of {reach.points} points of the rules",
            ("what", "file", "line"),
            [(each.what, each.file, str(each.line)) for each in reach.never],
        )
    else:
        yield paragraph(f"All {reach.points} points of the rules were reached.")


def _all(spreads: Sequence[Spread]) -> Spread:
    whole = Spread()
    for spread in spreads:
        whole.join(spread)
    return whole
