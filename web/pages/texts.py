"""Build pages of text: rules, log, score, answers to questions, replay, notes, errors."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.questions.rulebook import passages
from rulewright.pictures.looks import Looks
from rulewright.protocol import answers
from rulewright.web.pages.html import Html, joined, tag
from rulewright.web.pages.layout import Files, button, choice, lines, link, page
from rulewright.web.pages.match import log_items
from rulewright.web.pages.picture import lay_out, picture
from rulewright.web.pages.rulebook import rulebook
from rulewright.web.pages.seen import Seen
from rulewright.web.tables.course import Course
from rulewright.web.words import say

_MOST_REFUSED = 12
"""The maximum number of options that are shown with the same reason."""


def rules_page(files: Files, game: Game, back: str = "/") -> Html:
    """Return the page with the rulebook of a game."""
    title = say("rules-of", title=game.title)
    found = passages(game.rules_text(), markdown=game.has_rulebook)
    return _text_page(files, title, back, rulebook(found))


def log_page(files: Files, seen: Seen, only: int | None) -> Html:
    """Return the page with the log of all players, or of the seat `only`."""
    found = seen.course.log(seen.viewer)
    if only is not None:
        name = seen.names[only]
        found = [one for one in found if one.player == only or one.text.startswith(f"{name} ")]
    filters = [link(say("log-all"), "?")]
    filters += [
        link(say("log-of", name=name), f"?only={seat}") for seat, name in enumerate(seen.names)
    ]
    items = log_items(seen, found)
    return _text_page(
        files,
        say("log"),
        seen.base,
        tag("p", filters, class_="filters"),
        tag("ol", items, class_="log"),
    )


def score_page(files: Files, seen: Seen) -> Html:
    """Return the page with the score sheet."""
    text = "\n".join(answers.score(seen.course.state, seen.viewer))
    sheet = tag("pre", text, tabindex="0", class_="columns")
    return _text_page(files, say("score"), seen.base, sheet)


def answer_page(files: Files, seen: Seen, title: str, found: Html) -> Html:
    """Return a separate page with the answer to a question, for browsers without scripts."""
    return _text_page(files, title, seen.base, found)


def refused_options(groups: Sequence[tuple[Sequence[str], str]]) -> Html:
    """Return the options that cannot be chosen now, in grey, each group with the reason."""
    items = []
    for options, reason in groups:
        shown = [tag("span", option, class_="refused") for option in dict.fromkeys(options)]
        items.append(tag("li", *shown[:_MOST_REFUSED], tag("p", reason)))
    return joined(tag("h2", say("why-title")), tag("ul", items, class_="refusals"))


def answer(title: str, text: Sequence[str]) -> Html:
    """Return the answer to a question."""
    return joined(tag("h2", title), lines(text, plain=True))


def _text_page(files: Files, title: str, back: str, *parts: Html) -> Html:
    nav = [link(say("error-back"), back)] if back != "/" else []
    return page(files, title, tag("main", tag("h1", title), *parts), nav=nav)


def error_page(files: Files, message: str, back: str = "/") -> Html:
    """Return a page that describes a failure, with a link to continue."""
    return page(
        files,
        say("error"),
        tag(
            "main",
            tag("h1", say("error")),
            tag("p", message, class_="problem"),
            tag(
                "p", link(say("games") if back == "/" else say("error-back"), back, class_="button")
            ),
            class_="narrow",
        ),
    )


@attrs.frozen
class Past:
    """A match at an earlier step, with the fields of `Seen` that pictures need."""

    course: Course
    viewer: int
    seat: int
    looks: Looks


def replay_page(
    files: Files, seen: Seen, past: Course, as_seat: int | None, at: tuple[int, int]
) -> Html:
    """Return the page with the position at a step; `at` is this step and the number of steps that the
    viewer counts.

    During the match each seat sees the position as it did at that step; after the match everybody sees
    everything.
    """
    is_over = seen.course.state.over
    seat = seen.seat if as_seat is None else as_seat
    viewer = seen.viewer if as_seat is None else as_seat
    step, steps = at
    target = f"{seen.base}/replay"
    more = f"&as={as_seat}" if as_seat is not None else ""
    ways = [
        link(say(name), f"{target}?step={at}{more}", class_="button", rel=rel)
        for name, at, rel in (
            ("replay-first", 0, "first"),
            ("replay-back", max(0, step - 1), "prev"),
            ("replay-next", min(steps, step + 1), "next"),
            ("replay-last", steps, "last"),
        )
    ]
    slider = tag(
        "input",
        type="range",
        name="step",
        min=0,
        max=steps,
        value=step,
        aria_label=say("replay"),
        id="slider",
    )
    controls = [slider]
    if is_over:
        values = [("", say("replay-open"))]
        values += [(str(number), name) for number, name in enumerate(seen.names)]
        chosen = "" if as_seat is None else str(as_seat)
        controls.append(tag("label", say("replay-as"), " ", choice("as", values, chosen)))
    controls.append(button(say("replay-show")))
    found = [line for line in seen.course.log(viewer) if line.step == step and not line.back]
    return page(
        files,
        say("replay"),
        tag(
            "main",
            tag("h1", f"{seen.table.created.title}: {say('replay')}"),
            tag("section", tag("p", say("replay-step", step=step, steps=steps)),
                tag("form", controls, action=target, class_="slider"), tag("p", ways, class_="ways"),
                tag("ol", log_items(seen, found), class_="log"), id="controls"),
            lay_out(picture(Past(past, viewer, seat, seen.looks), None, _one_before(past)), seen.table.created.game),
            id="replay",
        ),
        nav=[link(say("error-back"), seen.base)],
        script=True,
        kind="replay",
        style=seen.style,
    )  # fmt: skip


def _one_before(past: Course) -> State | None:
    """Return the position one step earlier; marks show the changes of the step."""
    states = past.match.states
    return states[-2] if len(states) > 1 else None


def hot_page(files: Files, seen: Seen) -> Html:
    """Return the page shown while a device is passed on, which shows nothing until the next person confirms."""
    name = seen.names[seen.seat]
    return page(
        files,
        say("hot-title"),
        tag(
            "main",
            tag("h1", say("hot-title")),
            tag("p", say("hot-text", name=name), class_="intro"),
            tag("p", link(say("hot-show", name=name), f"{seen.base}?hot=1", class_="button main")),
            class_="narrow",
        ),
    )


def notes_page(files: Files, seen: Seen) -> Html:
    """Return the page with the notes that the player has written or, after the end of the match, those of
    all players.
    """
    items, counted = [], seen.course.step_counts(seen.viewer)
    is_over = seen.course.state.over
    for note in (note for note in seen.table.notes if is_over or note.seat == seen.seat):
        step = counted[min(note.step, len(counted) - 1)]
        title = say("note-at", step=step, name=seen.names[note.seat])
        where = link(title, f"{seen.base}/replay?step={step}")
        items.append(tag("li", where, " ", note.text))
    shown = tag("ul", items) if items else tag("p", say("no-notes"), class_="quiet")
    return _text_page(files, say("notes"), seen.base, shown)
