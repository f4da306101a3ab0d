"""The planning board: a private position, made up from the knowledge of a seat, for trying moves.

Hidden things and all chance are invented from a seed, so nothing here reveals anything about the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import attrs

from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.pictures.looks import Looks
from rulewright.web.pages.html import Html, tag
from rulewright.web.pages.layout import Files, link, page
from rulewright.web.pages.picture import lay_out, picture
from rulewright.web.pages.seen import Seen
from rulewright.web.tables.course import Course
from rulewright.web.words import say

MOST = 60
"""The maximum number of choices on one planning board."""


@attrs.frozen
class _Tried:
    """A position of the planning board, with the fields of `Seen` that pictures need."""

    course: Course
    viewer: int
    seat: int
    looks: Looks


def try_choices(state: State, seat: int, seed: int, places: Sequence[int]) -> State:
    """Return the position after some choices, starting from a position that the seat thinks possible.

    Each choice is given by its place in the list of options.
    """
    random = Random(seed)
    found = state.sample(seat, seed)
    for place in places[:MOST]:
        ids = [] if found.over else found.option_ids
        if place >= len(ids):
            break
        found = found.take_with(ids[place], lambda _, members: random.randrange(len(members)))
    return found


def plan_page(files: Files, seen: Seen, seed: int, places: Sequence[int]) -> Html:
    """Return the page with the position and its options as links; the planner chooses for every seat."""
    state = try_choices(seen.course.state, seen.seat, seed, places)
    match = Match(seen.game, seen.table.variant, seed, [state])
    shown = picture(_Tried(Course(match), seen.seat, seen.seat, seen.looks), None, None)
    target = f"{seen.base}/plan?seed={seed}"
    so_far = "".join(f"&do={place}" for place in places)
    asked: list[Html] = [tag("p", say("plan-help"), class_="quiet")]
    if not state.over:
        name = state.players[state.player]
        asked.append(
            tag("p", tag("strong", say("plan-turn", name=name, prompt=state.decision.prompt)))
        )
        options = [
            tag("li", link(option.text, f"{target}{so_far}&do={place}", class_="button"))
            for place, option in enumerate(state.decision.options)
        ]
        asked.append(tag("ul", options, class_="options"))
    ways = [
        link(say("plan-again"), target, class_="button"),
        link(say("plan-other"), f"{seen.base}/plan", class_="button"),
    ]
    side = tag("section", *asked, tag("p", ways, class_="ways"), class_="rw-section rw-question")
    return page(
        files,
        say("plan-title"),
        tag(
            "main",
            tag("h1", f"{seen.table.created.title}: {say('plan-title')}"),
            lay_out(shown, seen.table.created.game, side),
        ),
        nav=[link(say("error-back"), seen.base)],
        kind="replay plan",
        style=seen.style,
    )
