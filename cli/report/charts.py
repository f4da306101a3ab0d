"""Build the charts of a report as specifications of Vega-Lite: plain data, which is not drawn here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rulewright.interpreter.statistics.course import SLICES, Course
from rulewright.interpreter.statistics.distribution import Spread
from rulewright.interpreter.statistics.intervals import wilson
from rulewright.interpreter.statistics.tally import Score, Tally
from rulewright.interpreter.statistics.usage import Finding

Spec: TypeAlias = dict[str, object]

WIDTH, HEIGHT = 640, 240
_BARS = 30
_NAMED = 14
"""The number of points of a scatter plot that have labels; more labels would overlap."""
# readers who cannot tell red from green can distinguish these colours, too (Okabe and Ito)
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#000000")


def _spec(rows: Sequence[Mapping[str, object]], height: int = HEIGHT, **parts: object) -> Spec:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": WIDTH,
        "height": height,
        "data": {"values": list(rows)},
        "config": {
            "range": {"category": list(COLOURS)},
            "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
            "legend": {"labelFontSize": 12, "titleFontSize": 12},
            "view": {"stroke": None},
        },
        **parts,
    }


def _x(field: str, title: str, **more: object) -> Spec:
    return {"field": field, "type": "quantitative", "title": title, **more}


def seats_chart(names: Sequence[str], tally: Tally) -> Spec:
    """Chart the proportion of wins of each seat, with its interval, and the equal proportion."""
    rows = []
    for seat, name in enumerate(names):
        low, high = wilson(tally.wins[seat], tally.plays)
        share = tally.wins[seat] / max(1, tally.plays)
        rows.append({"seat": name, "share": share, "low": low, "high": high})
    equal_share = sum(tally.wins) / max(1, tally.plays) / max(1, len(rows))
    y = {"field": "seat", "type": "nominal", "title": None, "sort": None}
    top = min(1.0, 1.1 * max((wilson(wins, tally.plays)[1] for wins in tally.wins), default=1.0))
    scale = {"domain": [0, top]}
    x = _x("share", "share of wins", axis={"format": ".0%"}, scale=scale)
    return _spec(
        rows,
        40 * len(rows),
        layer=[
            {
                "mark": {
                    "type": "bar",
                    "color": COLOURS[0],
                    "opacity": 0.75,
                    "height": {"band": 0.6},
                },
                "encoding": {"y": y, "x": x},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"y": y, "x": _x("low", "share of wins"), "x2": {"field": "high"}},
            },
            {
                "data": {"values": [{"alike": equal_share}]},
                "mark": {"type": "rule", "strokeDash": [4, 4], "color": "#555555"},
                "encoding": {"x": _x("alike", "share of wins")},
            },
        ],
    )


def spread_chart(spread: Spread, title: str) -> Spec:
    """Chart the frequency of each number."""
    found = spread.bars(_BARS)
    width = found[0][1] - found[0][0] + 1  # the last bin may be narrower
    rows = [
        {"low": low - 0.5, "high": low + width - 0.5, "games": count} for low, _, count in found
    ]
    return _spec(
        rows,
        180,
        mark={"type": "bar", "color": COLOURS[0], "binSpacing": 1},
        encoding={
            "x": _x("low", title, bin={"binned": True}, axis={"tickMinStep": 1}),
            "x2": {"field": "high"},
            "y": _x("games", "games"),
        },
    )


def totals_chart(score: Score) -> Spec:
    """Chart the points of winners and of losers."""
    whole = Spread()
    whole.join(score.winners)
    whole.join(score.losers)
    rows = []
    for word, spread in (("winners", score.winners), ("losers", score.losers)):
        for low, high, _ in whole.bars(_BARS):
            count = sum(n for number, n in spread.counts.items() if low <= number <= high)
            rows.append({"who": word, "low": low - 0.5, "high": high + 0.5, "seats": count})
    return _spec(
        rows,
        180,
        mark={"type": "bar", "opacity": 0.6, "binSpacing": 1},
        encoding={
            "x": _x("low", "points", bin={"binned": True}, axis={"tickMinStep": 1}),
            "x2": {"field": "high"},
            "y": _x("seats", "seats", stack=None),
            "color": {
                "field": "who",
                "type": "nominal",
                "title": None,
                "sort": None,
                "scale": {"domain": ["winners", "losers"], "range": [COLOURS[0], COLOURS[1]]},
            },
        },
    )


def items_chart(tally: Tally) -> Spec:
    """Chart the score items from which winners and losers get their points."""
    rows = [
        {"item": item, "who": word, "points": round(spread.mean, 3)}
        for item, score in zip(tally.items, tally.scores, strict=True)
        for word, spread in (("winners", score.winners), ("losers", score.losers))
    ]
    return _spec(
        rows,
        {"step": 16},  # type: ignore[arg-type]  # the height of one row of an axis of words
        mark={"type": "bar"},
        encoding={
            "y": {"field": "item", "type": "nominal", "title": None, "sort": None},
            "yOffset": {"field": "who", "sort": ["winners", "losers"]},
            "x": _x("points", "points, mean"),
            "color": {
                "field": "who",
                "type": "nominal",
                "title": None,
                "scale": {"domain": ["winners", "losers"], "range": [COLOURS[0], COLOURS[1]]},
            },
        },
    )


def curve_chart(names: Sequence[str], course: Course) -> Spec:
    """Chart the mean totals from the start of a game to its end: for each seat, for winners and for losers."""
    rows = []
    for point, score in enumerate(course.curve):
        spreads = [*zip(names, score.seats, strict=True)]
        spreads += [("winners", score.winners), ("losers", score.losers)]
        rows += [
            {"part": point / SLICES, "who": name, "points": round(spread.mean, 3)}
            for name, spread in spreads
        ]
    order = ["winners", *names, "losers"]
    colours = [COLOURS[number % len(COLOURS)] for number in range(1, len(names) + 1)]
    who = {
        "field": "who",
        "type": "nominal",
        "title": None,
        "sort": order,
        "scale": {"domain": order, "range": ["#000000", *colours, "#888888"]},
    }
    dashes = [[6, 3], *([1, 0] for _ in names), [2, 3]]
    return _spec(
        rows,
        mark={"type": "line", "strokeWidth": 2},
        encoding={
            "x": _x("part", "part of the game", axis={"format": ".0%"}),
            "y": _x("points", "points, mean"),
            "color": who,
            "strokeDash": {**who, "scale": {"domain": order, "range": dashes}},
        },
    )


def leaders_chart(course: Course) -> Spec:
    """Chart how often the sole leader wins, as a function of the proportion of the game that has been
    played.
    """
    rows = []
    for point in range(SLICES + 1):
        led, won = course.led[point], course.led_won[point]
        if led:
            low, high = wilson(won, led)
            rows.append({"part": point / SLICES, "share": won / led, "low": low, "high": high})
    x = _x("part", "part of the game", axis={"format": ".0%"}, scale={"domain": [0, 1]})
    y = _x("share", "leaders who win", axis={"format": ".0%"}, scale={"domain": [0, 1]})
    return _spec(
        rows,
        180,
        layer=[
            {
                "mark": {"type": "area", "opacity": 0.25, "color": COLOURS[0]},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "line", "color": COLOURS[0], "point": True},
                "encoding": {"x": x, "y": y},
            },
        ],
    )


def uses_chart(findings: Sequence[Finding], plays: int) -> Spec:
    """Chart the use and the worth of things: the farther a thing is from the line, the stronger its link
    with winning.
    """
    rows: list[dict[str, object]] = []
    for finding in findings:
        if finding.wins is None:
            continue
        low, high = finding.wins.interval
        use = finding.use
        rows.append(
            {
                "name": finding.thing.called if len(rows) < _NAMED else "",
                "sort": finding.thing.sort.replace("_", " "),
                "used": max(use.taken, use.held) / max(1, plays),
                "worth": finding.wins.amount,
                "low": low,
                "high": high,
                "sure": "beyond chance" if finding.stands_out else "within chance",
            }
        )
    x = _x("used", "games in which a player took it or had it", axis={"format": ".0%"})
    y = _x("worth", "wins more often by", axis={"format": "+.0%"})
    sort = {"field": "sort", "type": "nominal", "title": None}
    opacity = {
        "field": "sure",
        "type": "nominal",
        "title": None,
        "scale": {"domain": ["beyond chance", "within chance"], "range": [1, 0.35]},
    }
    return _spec(
        rows,
        420,
        layer=[
            {
                "data": {"values": [{"none": 0}]},
                "mark": {"type": "rule", "color": "#555555"},
                "encoding": {"y": _x("none", "wins more often by")},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 1, "color": "#888888", "opacity": 0.4},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60},
                "encoding": {"x": x, "y": y, "color": sort, "shape": sort, "opacity": opacity},
            },
            {
                "mark": {"type": "text", "align": "right", "dx": -8, "fontSize": 11},
                "encoding": {"x": x, "y": y, "text": {"field": "name"}},
            },
        ],
    )
