"""Format summaries of simulated matches, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.cli.formats.bars import bars
from rulewright.cli.formats.playtest import watched_data, watched_text
from rulewright.cli.formats.words import (
    percent,
    plain,
    round_for_data,
    seats_words,
    spread_data,
    spread_text,
    variant_words,
)
from rulewright.cli.jobs.runs import About, Run
from rulewright.interpreter.simulation.simulation import LONGEST
from rulewright.interpreter.statistics.distribution import Spread
from rulewright.interpreter.statistics.endings import Cause
from rulewright.interpreter.statistics.intervals import SURE, wilson
from rulewright.interpreter.statistics.tally import Score, Tally
from rulewright.interpreter.text.columns import table


def simulation_data(run: Run) -> dict[str, object]:
    """Return a summary as data for other programs; `rulewright simulate --help` describes the shape."""
    about, seconds, tally, study = run.about, run.seconds, run.done.tally, run.done.study
    chance = tally.equal_seats_chance
    return {
        "game": about.title,
        "players": about.variant.players,
        "options": dict(about.variant.options),
        "seed": about.seed,
        "games": tally.plays,
        "unfinished": tally.unfinished,
        "draws": tally.draws,
        "ties": tally.ties,
        "together": {
            "wins": tally.together,
            "share": round_for_data(tally.together / max(1, tally.plays)),
            "interval": [round_for_data(edge) for edge in wilson(tally.together, tally.plays)],
        },
        "seats": [
            {
                "name": name,
                "bot": about.bots[seat],
                "wins": tally.wins[seat],
                "share": round_for_data(tally.wins[seat] / max(1, tally.plays)),
                "interval": [
                    round_for_data(edge) for edge in wilson(tally.wins[seat], tally.plays)
                ],
                "shared": tally.shared[seat],
            }
            for seat, name in enumerate(about.names)
        ],
        "seats_differ": {
            "chance": None if chance is None else round_for_data(chance),
            "differ": None if chance is None else chance < 1 - SURE,
        },
        "scores": [
            {
                "item": item,
                "seats": [spread_data(spread) for spread in score.seats],
                "winners": spread_data(score.winners),
                "losers": spread_data(score.losers),
            }
            for item, score in scores_of(tally)
        ],
        "margins": spread_data(tally.margins),
        "length": spread_data(tally.length),
        "options_per_decision": spread_data(tally.options),
        "only_one_option": round_for_data(tally.forced / max(1, tally.length.total)),
        "ends": [
            {
                "rule": cause.rule,
                "lines": list(cause.lines),
                "called_by": cause.called,
                "games": times,
            }
            for cause, times in causes_of(tally)
        ],
        **(watched_data(study) if study is not None else {}),
        "engine": run.work.engine,
        "seconds": round(seconds, 3),
        "games_per_second": round(tally.plays / seconds, 1),
        "decisions_per_second": round(tally.length.total / seconds, 1),
    }


def runs_text(runs: Sequence[Run], *, side_by_side: bool) -> str:
    """Format all runs one after the other or, if `side_by_side`, as one table with a line for each run."""
    if not side_by_side:
        return "\n\n".join(simulation_text(run, several=len(runs) > 1) for run in runs)
    head = ("", "games", "wins by seat", "", "draws", "points", "decisions", "seconds")
    lines = [f"{runs[0].about.title}: {len(runs)} variants", ""]
    lines += table([head, *(_line(run) for run in runs)], left=1)
    lines += ["", "* the seats differ beyond chance"]
    given_up = sum(run.done.tally.unfinished for run in runs)
    if given_up:
        lines += given_up_lines(given_up, runs[0].about)
    return "\n".join(lines)


def _line(run: Run) -> tuple[str, ...]:
    tally = run.done.tally
    chance, plays = tally.equal_seats_chance, max(1, tally.plays)
    whole = Spread()
    for spread in tally.totals.seats:
        whole.join(spread)
    return (
        variant_words(run.about.variant),
        f"{tally.plays:,}",
        f"{percent(tally.together / plays)} together"
        if tally.is_together
        else " ".join(f"{100 * wins / plays:.0f}" for wins in tally.wins) + " %",
        "*" if chance is not None and chance < 1 - SURE else "",
        percent(tally.draws / plays),
        f"{whole.mean:.1f}" if tally.items else "-",
        f"{tally.length.mean:.1f}",
        f"{run.seconds:.1f}",
    )


def simulation_text(run: Run, *, several: bool = False) -> str:
    """Draw the tables and bars of a run for people; `several` says that other runs are shown with this run."""
    about, seconds, tally, study = run.about, run.seconds, run.done.tally, run.done.study
    decisions = tally.length
    title = f"{about.title}, {about.variant.players} players" if several else about.title
    if not tally.plays:
        speed = _speed(0, tally.unfinished * LONGEST, seconds)
        head = f"{title}: no game ended"
        return "\n".join([head, "", *given_up_lines(tally.unfinished, about), "", speed])
    lines = [f"{title}: {tally.plays:,} games", "", *_wins(about, tally)]
    if tally.items:
        lines += _points(about, tally)
    lines += ["", f"decisions in a game: {spread_text(decisions)}", *bars(decisions)]
    forced = percent(tally.forced / max(1, decisions.total))
    lines += ["", f"options of a decision: {spread_text(tally.options)}; only one in {forced}"]
    lines += _ends(tally)
    if study is not None:
        lines += watched_text(about.called, study)
    if not run.work.records:
        lines += ["", f"{_speed(tally.plays, decisions.total, seconds)} ({run.work.engine} engine)"]
    return "\n".join(lines)


def _speed(plays: int, decisions: int, seconds: float) -> str:
    """Format the speed of play; below ten games a second, show one decimal.

    >>> _speed(1, 1281, 5.0)
    '0.2 games and 256 decisions a second'
    >>> _speed(700, 105_100, 20.0)
    '35 games and 5,255 decisions a second'
    """
    games = plays / seconds
    digits = 1 if games < 10 else 0
    return f"{games:,.{digits}f} games and {decisions / seconds:,.0f} decisions a second"


def _wins(about: About, tally: Tally) -> Iterator[str]:
    if tally.is_together:
        yield from _together(tally)
    else:
        yield from _by_seat(about, tally)
    if tally.unfinished:
        yield from given_up_lines(tally.unfinished, about)


def given_up_lines(number: int, about: About) -> Iterator[str]:
    """Yield lines about the abandoned games: the reason, and options of the game that may end them sooner."""
    games = "1 game was" if number == 1 else f"{number:,} games were"
    yield f"{games} given up after {LONGEST:,} decisions each; no other figure includes them"
    chosen = dict(about.variant.options)
    numbers = [
        (name, values) for name, values in about.options if all(v.isdecimal() for v in values)
    ]
    for name, values in numbers or about.options:
        others = [value for value in values if value != chosen.get(name)]
        if others:
            yield f"{about.title} has the option `{name}`: `--set {name}={others[-1]}`"


def _together(tally: Tally) -> Iterator[str]:
    low, high = wilson(tally.together, tally.plays)
    share = percent(tally.together / tally.plays)
    interval = f"95 % interval {percent(low)} .. {percent(high)}"
    yield f"all won together: {tally.together:,} ({share}, {interval})"
    yield f"nobody won: {tally.draws:,} ({percent(tally.draws / tally.plays)})"


def _by_seat(about: About, tally: Tally) -> Iterator[str]:
    wins = [("", "bot", "wins", "share", "95 % interval", "shared")]
    for seat, name in enumerate(about.called):
        low, high = wilson(tally.wins[seat], tally.plays)
        wins.append(
            (
                name,
                about.bots[seat],
                f"{tally.wins[seat]:,}",
                percent(tally.wins[seat] / max(1, tally.plays)),
                f"{percent(low)} .. {percent(high)}",
                f"{tally.shared[seat]:,}",
            )
        )
    yield from table(wins, left=2)
    if tally.plays:
        yield seats_words(tally)
    if tally.draws:
        yield f"draws: {tally.draws:,} ({percent(tally.draws / tally.plays)})"
    if tally.ties:
        share = percent(tally.ties / tally.plays)
        yield f"ties for most points: {tally.ties:,} ({share}), whoever won them"


def _points(about: About, tally: Tally) -> Iterator[str]:
    rows = [
        (item, *(spread_text(spread) for spread in score.seats)) for item, score in scores_of(tally)
    ]
    yield ""
    yield "scores: mean (lowest .. highest)"
    yield from table([("", *about.called), *rows])
    if tally.totals.losers.count:
        yield ""
        yield "winners and losers: mean, deviation, the middle half"
        yield from table([("", "winners", "", "", "losers", "", ""), *_sides(tally)])
    if tally.margins.count:
        yield ""
        yield f"ahead of the next by: {spread_text(tally.margins)}"
        yield from bars(tally.margins)
    yield ""
    yield "totals of all seats"
    whole = Spread()
    for spread in tally.totals.seats:
        whole.join(spread)
    yield from bars(whole)


def _sides(tally: Tally) -> Iterator[tuple[str, ...]]:
    for item, score in scores_of(tally):
        row = [item]
        for spread in (score.winners, score.losers):
            low, high = spread.quantiles((0.25, 0.75))
            row += [plain(spread.mean), plain(spread.deviation), f"{low} .. {high}"]
        yield tuple(row)


def _ends(tally: Tally) -> Iterator[str]:
    if not tally.causes:
        return
    yield ""
    yield "how games end"
    for cause, times in causes_of(tally):
        yield f"  {percent(times / tally.plays):>7}  {cause.text}"


def scores_of(tally: Tally) -> Iterator[tuple[str, Score]]:
    """Yield the score items and, at the end, the total."""
    yield from zip(tally.items, tally.scores, strict=True)
    if tally.items:
        yield "total", tally.totals


def causes_of(tally: Tally) -> list[tuple[Cause, int]]:
    """Return the causes of ends, the most frequent first."""
    return sorted(tally.causes.items(), key=lambda each: (-each[1], each[0]))
