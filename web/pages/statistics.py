"""Compute the statistics of a finished match: the choices of each player, their times, and the points over
the match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import attrs

from rulewright.interpreter.knowledge.known_scores import known_scores
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.view import ALL_SEEING
from rulewright.web.pages.html import Html, tag
from rulewright.web.pages.layout import Files, link, page
from rulewright.web.pages.seen import Seen
from rulewright.web.pages.times import length_text, moment
from rulewright.web.tables.course import Course
from rulewright.web.tables.table import Table
from rulewright.web.words import say

_POINTS = 40
"""The number of moments of a match at which points are counted."""
_WORDS = 15
"""The maximum number of kinds of choices that are listed."""
_WIDE, _HIGH = 600, 220


@attrs.define
class Player:
    """The figures of a seat; times are in milliseconds."""

    name: str
    points: int | None = None
    choices: int = 0
    time: int = 0
    longest: int = 0
    back: int = 0
    words: Counter[str] = attrs.field(factory=Counter)


def figures(table: Table, course: Course) -> list[Player]:
    """Return the figures of all seats. The time of a choice that was taken back is included, but the choice
    is not.
    """
    states, numbers = course.match.states, set(course.numbers)
    found = [Player(name) for name in course.state.players]
    for step, steps in enumerate(course.steps):
        state = states[step]
        if len(state.decision.options) > 1:
            found[state.player].choices += 1
            found[state.player].words[_word(state, steps[0])] += 1
    for number, seat, asked, came in table.thoughts():
        one = found[seat]
        one.time += came - asked
        one.longest = max(one.longest, came - asked)
        one.back += number not in numbers
    for one, points in zip(found, _points(course.state), strict=False):
        one.points = points
    return found


def _word(state: State, option: str) -> str:
    """Return the words under which a choice is counted: the name of its action, or the whole text if it
    names only a thing.
    """
    action, bracket, _ = option.partition("(")
    decision = state.decision
    return (
        action.replace("_", " ") if bracket else decision.options[decision.names.index(option)].text
    )


def _points(state: State) -> list[int | None]:
    compiled = state.compiled
    if not compiled.program.score:
        return []
    return [one.total for one in known_scores(compiled, state.cells, ALL_SEEING)]


def statistics_page(files: Files, seen: Seen) -> Html:
    """Return the page with the statistics of a match."""
    table, course = seen.table, seen.course
    players = figures(table, course)
    many = sum(one.choices for one in players)
    chance = sum(len(steps) > 1 for steps in course.steps)
    length = say(
        "stat-length", steps=course.step, choices=many, chance=chance,
        start="\0", end="\0",
    ).split("\0")  # fmt: skip
    first = min((asked for _, _, asked, _ in table.thoughts()), default=table.moved_at)
    times = tag("p", length[0], moment(first), length[1], moment(table.moved_at), length[2])
    title = f"{table.created.title}: {say('statistics')}"
    body = tag(
        "main", tag("h1", title), times, _by_player(players), _chart(course), _by_word(players)
    )
    nav = [link(say("error-back"), seen.base)]
    return page(files, title, body, nav=nav, script=True)


def _by_player(players: Sequence[Player]) -> Html:
    words = ["player", "choices", "time", "longest", "back"]
    has_points = any(one.points is not None for one in players)
    rows = [
        [one.name, one.choices, length_text(one.time), length_text(one.longest), one.back]
        + ([one.points if one.points is not None else ""] if has_points else [])
        for one in players
    ]
    return _table([say(f"stat-{word}") for word in [*words, *["points"] * has_points]], rows)


def _by_word(players: Sequence[Player]) -> Html:
    total: Counter[str] = sum((one.words for one in players), Counter())
    rows = [[word, *(one.words[word] for one in players)] for word, _ in total.most_common(_WORDS)]
    heads = [say("stat-option"), *(one.name for one in players)]
    return tag("section", tag("h2", say("stat-chosen")), _table(heads, rows))


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> Html:
    head = tag("tr", [tag("th", text, scope="col") for text in heads])
    body = [
        tag("tr", tag("th", str(row[0]), scope="row"), [tag("td", str(one)) for one in row[1:]])
        for row in rows
    ]
    table = tag("table", tag("thead", head), tag("tbody", body), class_="figures")
    return tag("div", table, class_="scrolls", tabindex="0", role="group", aria_label=heads[0])


def _chart(course: Course) -> Html | None:
    """Chart the points of all players over the match, as lines; return None if there is nothing to show."""
    steps = sorted({round(course.step * part / _POINTS) for part in range(_POINTS + 1)})
    counted = {step: _points(course.match.states[step]) for step in steps}
    known = {step: points for step, points in counted.items() if points and None not in points}
    values = [one or 0 for points in known.values() for one in points]
    if len(known) < 2 or min(values) == max(values):
        return None
    low, high = min(0, *values), max(values)
    names = course.state.players
    lines = [_line(known, seat, name, course.step, low, high) for seat, name in enumerate(names)]
    svg = tag(
        "svg",
        *(tag("text", str(at), x=_WIDE + 4, y=_height(at, low, high) + 4, font_size="12") for at in (low, high)),
        *lines,
        viewBox=f"-6 -6 {_WIDE + 50} {_HIGH + 12}",
        role="img",
        aria_label=say("stat-course"),
        class_="chart",
    )  # fmt: skip
    key = [tag("li", _sample(seat), " ", name) for seat, name in enumerate(names)]
    return tag(
        "section", tag("h2", say("stat-course")), svg, tag("ul", key, class_="key"), class_="card"
    )


def _sample(seat: int) -> Html:
    line = tag("line", x1="0", y1="6", x2="36", y2="6", **_stroke(seat))
    return tag("svg", line, viewBox="0 0 36 12", width="36", height="12", aria_hidden="true")


def _line(
    known: Mapping[int, Sequence[int | None]], seat: int, name: str, steps: int, low: int, high: int
) -> Html:
    points = " ".join(
        f"{step / steps * _WIDE:.0f},{_height(found[seat] or 0, low, high):.0f}"
        for step, found in known.items()
    )
    return tag("polyline", tag("title", name), points=points, fill="none", **_stroke(seat))


def _stroke(seat: int) -> dict[str, str]:
    """Return the style of a seat's line; dashes distinguish the lines for readers who cannot tell colours
    apart.
    """
    dashes = ("", "9 4", "2 4", "12 3 2 3", "5 5", "1 6")
    hues = ("#2f6fb0", "#c0562b", "#2e8b57", "#8c4fb0", "#b08a2f", "#7a7a7a")
    found = {"stroke": hues[seat % 6], "stroke-width": "2.5"}
    return {**found, "stroke-dasharray": dashes[seat % 6]} if dashes[seat % 6] else found


def _height(value: int, low: int, high: int) -> float:
    return _HIGH - (value - low) / (high - low) * _HIGH
