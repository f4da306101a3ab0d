"""What simulated plays add up to, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.cli.output import table
from rulewright.interpreter.plays.game import Setting
from rulewright.interpreter.studies.simulation import Series, Tally, wilson


def simulation_data(
    title: str,
    setting: Setting,
    seed: int,
    names: Sequence[str],
    bots: Sequence[str],
    tally: Tally,
    seconds: float,
) -> dict[str, object]:
    """The shape is told by `rulewright simulate --help`."""
    return {
        "game": title,
        "players": setting.players,
        "options": dict(setting.options),
        "seed": seed,
        "games": tally.plays,
        "unfinished": tally.unfinished,
        "draws": tally.draws,
        "seats": [
            {
                "name": name,
                "bot": bots[seat],
                "wins": tally.wins[seat],
                "share": _rounded(tally.wins[seat] / max(1, tally.plays)),
                "interval": [_rounded(edge) for edge in wilson(tally.wins[seat], tally.plays)],
                "shared": tally.shared[seat],
            }
            for seat, name in enumerate(names)
        ],
        "scores": [
            {"item": item, "seats": [_series_data(series) for series in by_seat]}
            for item, by_seat in _scores(tally)
        ],
        "length": _series_data(tally.length),
        "options_per_decision": _series_data(tally.options),
        "seconds": round(seconds, 3),
        "games_per_second": round(tally.plays / seconds, 1),
        "decisions_per_second": round(tally.length.total / seconds, 1),
    }


def simulation_text(
    title: str, names: Sequence[str], bots: Sequence[str], tally: Tally, seconds: float
) -> str:
    """Tables for people."""
    lines = [f"{title}: {tally.plays:,} games", ""]
    wins = [("", "bot", "wins", "share", "95 % interval", "shared")]
    for seat, name in enumerate(names):
        low, high = wilson(tally.wins[seat], tally.plays)
        share = tally.wins[seat] / max(1, tally.plays)
        wins.append(
            (
                name,
                bots[seat],
                f"{tally.wins[seat]:,}",
                _percent(share),
                f"{_percent(low)} .. {_percent(high)}",
                f"{tally.shared[seat]:,}",
            )
        )
    lines += table(wins, left=2)
    if tally.draws:
        lines.append(f"draws: {tally.draws:,} ({_percent(tally.draws / tally.plays)})")
    if tally.unfinished:
        lines.append(f"given up because they went on and on: {tally.unfinished:,}")
    if tally.items:
        rows = [
            (item, *(_series_text(series) for series in by_seat))
            for item, by_seat in _scores(tally)
        ]
        lines += ["", "scores: mean (lowest .. highest)", *table([("", *names), *rows])]
    decisions = tally.length
    games_rate, rate = tally.plays / seconds, decisions.total / seconds
    lines += [
        "",
        f"decisions in a game: {_series_text(decisions)}",
        f"options of a decision: {_series_text(tally.options)}",
        f"{games_rate:,.0f} games and {rate:,.0f} decisions a second",
    ]
    return "\n".join(lines)


def _scores(tally: Tally) -> Iterator[tuple[str, tuple[Series, ...]]]:
    yield from zip(tally.items, tally.scores, strict=True)
    if tally.items:
        yield "total", tally.totals


def _series_data(series: Series) -> dict[str, object]:
    return {
        "mean": _rounded(series.mean),
        "deviation": _rounded(series.deviation),
        "low": series.low,
        "high": series.high,
    }


def _series_text(series: Series) -> str:
    if series.low is None:
        return "-"
    return f"{series.mean:.1f} ({series.low} .. {series.high})"


def _rounded(number: float) -> float:
    return round(number, 6)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
