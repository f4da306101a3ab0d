"""Build the parts of a match's page about waiting: limits, reminders, stand-ins, and standing answers."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.web.pages.html import Html, tag
from rulewright.web.pages.layout import button, choice, form
from rulewright.web.pages.seen import Seen, act
from rulewright.web.pages.times import moment
from rulewright.web.words import say

MOST_OPTIONS = 60
"""The maximum number of options with which a standing answer can be given; a longer list would not fit."""


def personal(seen: Seen) -> Iterator[Html]:
    """Yield the news for this seat: reminders, the bot that stands in, and its standing answer."""
    table, seat = seen.table, seen.seat
    if seat < 0 or seen.course.state.over:
        return
    if table.seats[seat].stands_in:
        yield tag("div", say("stands-in"), act(seen, "back", say("come-back")), class_="ways")
    nudge = table.nudge
    if nudge is not None and nudge.seat == seat:
        yield tag("p", say("nudged", name=seen.names[nudge.by]), class_="nudge")
    elif nudge is not None:
        text = say("was-reminded", name=seen.names[nudge.seat])
        yield tag("p", text, " ", moment(table.nudged_at[nudge.seat]), class_="quiet")
    stands = table.stands(seen.game, seat)
    if stands is not None:
        option = _with_spaces(stands.given.option)
        text = say(f"stands-{stands.given.until}", option=option)
        yield tag("div", text, act(seen, "stand-down", say("stand-down")), class_="ways")


def clock(seen: Seen) -> Iterator[Html]:
    """Yield the remaining time for the open decision, if it has a limit."""
    table = seen.table
    if not table.due or table.person(seen.game) < 0 or seen.course is not table.course(seen.game):
        return
    name = seen.names[seen.course.state.player]
    hidden = table.asked_at - table.awaited_since(seen.game, seen.seat)
    word = "time-over" if table.ran_out == table.decision and not hidden else "time-until"
    yield tag("p", say(word, name=name), " ", moment(table.due - hidden), class_="quiet")


def may_nudge(seen: Seen) -> bool:
    """Return whether the match waits for another person who may be reminded now."""
    person = seen.table.person(seen.game)
    return seen.seat >= 0 and person >= 0 and person != seen.seat and seen.reminds


def standing_form(seen: Seen) -> Iterator[Html]:
    """Yield the form for a standing answer, unless there are too many options."""
    names = seen.course.state.decision.names
    if len(names) > MOST_OPTIONS:
        return
    texts = [option.text for option in seen.course.state.decision.options]
    options = [(str(place), text) for place, text in enumerate(texts)]
    untils = [(word, say(f"until-{word}")) for word in ("others", "options", "gone")]
    yield form(
        f"{seen.base}/stand",
        tag("input", type="hidden", name="decision", value=seen.course.decision(seen.seat)),
        tag("p", say("stand-help"), class_="quiet"),
        choice("option", options, "0", say("stand-option")),
        choice("until", untils, "others", say("stand-until")),
        button(say("stand")),
        token=seen.token,
        class_="inline",
    )


def _with_spaces(name: str) -> str:
    return name.replace("_", " ")
