"""Build the page of a match as each viewer sees it, in sections. A section that has not changed is not sent
again.

Everything here depends only on the knowledge of the viewer: equal views give equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

import attrs

from rulewright.interpreter.matches.events import Event as MatchEvent
from rulewright.interpreter.matches.state import State
from rulewright.pictures.page import Section
from rulewright.pictures.question import Form
from rulewright.pictures.rights import unofficial
from rulewright.web.pages.html import Html, joined, tag
from rulewright.web.pages.layout import Files, button, form, link, page
from rulewright.web.pages.picture import Picture, lay_out, picture
from rulewright.web.pages.seen import Seen, act, is_turn, waiting
from rulewright.web.pages.waiting import clock, may_nudge, personal, standing_form
from rulewright.web.tables.course import Course, Line
from rulewright.web.words import say

HINT_SECONDS = 60
"""How long a page waits for a hint, in seconds: one second of thinking, plus preparation on a busy server."""
_LAST_LINES = 12


@attrs.frozen
class Parts:
    """The sections of the page of a match: the sections of the picture and the sections around the picture."""

    picture: Picture | None
    beside: dict[str, Html]
    status: Html
    player: int = -1
    """The seat that decides, as the viewer sees it; -1 if nobody decides."""
    decision: int = 0
    """The number of the open decision, as the viewer counts decisions."""

    def all(self) -> Iterator[Section]:
        """Yield all sections in order."""
        yield Section("status", "", self.status, "side", end="")
        if self.picture is not None:
            yield from self.picture.parts.values()
        for id, html in self.beside.items():
            yield Section(id, "", html, "side", end="")


def parts_of(seen: Seen) -> Parts:
    """Return all sections of the page."""
    status = _section("status", _status(seen), role="status")
    if seen.table.stopped:
        return Parts(None, {}, status)
    form = None
    if is_turn(seen):
        fields = (("form", seen.token), ("decision", str(seen.course.decision(seen.seat))))
        form = Form(f"{seen.base}/choose{'?hot=1' if seen.hot else ''}", fields)
    found = picture(seen, form, _before(seen))
    beside = {"ask": _section("ask", *_undo_request(seen), *_tools(seen))}
    if seen.seat >= 0:
        beside["news"] = _section("news", *_news(seen), tabindex=0)
    beside["log"] = _section("log", *_log(seen))
    if seen.table.created.terms.chat:
        beside["chat"] = _section("chat", *_chat(seen))
    if seen.seat >= 0:
        beside["more"] = _section("more", *_more(seen))
    state = seen.course.state
    goes_on = not (state.over or seen.table.is_waiting or seen.table.is_paused)
    player = state.player if goes_on else -1
    return Parts(found, beside, status, player, seen.course.decision(seen.seat))


def _before(seen: Seen) -> State | None:
    """Return the position that a seat saw after its last choice; for a spectator, return the previous
    position.
    """
    states = seen.course.match.states
    if seen.seat < 0:
        return states[-2] if len(states) > 1 else None
    step = seen.course.last_step_of(frozenset((seen.seat,)))
    return None if step is None else states[step + 1]


def _section(id: str, *parts: Html, role: str | None = None, tabindex: int | None = None) -> Html:
    inside = joined(*parts)
    classes = f"rw-section beside {id}" if id != "status" else None
    hidden = not inside
    return tag(
        "section", inside, id=id, role=role, class_=classes, hidden=hidden, tabindex=tabindex
    )


def match_page(
    files: Files, seen: Seen, parts: Parts, number: int, hands: Sequence[int] = ()
) -> Html:
    """Return the whole page; `number` is a digest of its contents."""
    table = seen.table
    nav = [
        link(say("rules"), f"{seen.base}/rules"),
        link(say("log"), f"{seen.base}/log"),
        link(say("score"), f"{seen.base}/score"),
        link(say("replay"), f"{seen.base}/replay"),
        link(say("table"), f"/t/{table.id}"),
        link(say("my-tables"), "/#mine"),
    ]
    body = tag(
        "main",
        tag("h1", table.created.title, class_="hidden"),
        parts.status,
        lay_out(parts.picture, table.created.game, *parts.beside.values())
        if parts.picture is not None
        else None,
        id="match",
        data_base=seen.base,
        data_number=number,
        data_hot=" ".join(map(str, hands)) if seen.hot else None,
        data_seat=seen.seat,
        data_offline=say("offline"),
        data_turn=say("turn-notice"),
        data_decision=parts.decision,
    )
    skip = tag("a", say("skip"), href="#question", class_="skip")
    title = f"{'● ' if is_turn(seen) else ''}{table.created.title}"
    answer = tag("dialog", id="answer", data_close=say("close"))
    return page(
        files,
        title,
        skip,
        body,
        answer,
        nav=nav,
        kind="match",
        script=True,
        style=seen.style,
        foot=unofficial(table.created.game),
    )


# ---- what is going on ----


def _status(seen: Seen) -> Html:
    table = seen.table
    if table.stopped:
        return tag("p", say("stopped", message=table.stopped), class_="problem")
    parts = [*personal(seen)]
    if table.is_waiting:
        parts.append(tag("p", waiting(table), " ", link(say("seats"), f"/t/{table.id}")))
    elif table.is_paused:
        parts.append(tag("p", say("paused")))
    elif seen.course.state.over:
        parts.append(tag("p", ending(seen.course), class_="over"))
        parts += [tag("p", line) for line in seen.course.state.tie()]
        parts.append(_after(seen))
    else:
        if not is_turn(seen):
            name = seen.names[seen.course.state.player]
            if table.bot_to_move(seen.course.match.game):
                seconds = tag("span", aria_hidden="true", data_seconds=say("s"))
                parts.append(tag("p", say("bot-turn", name=name), seconds))
            else:
                parts.append(tag("p", say("their-turn", name=name)))
        parts += clock(seen)
    return joined(*parts)


def ending(course: Course) -> str:
    """Name the winners in a sentence."""
    state = course.state
    names = [state.players[winner] for winner in state.winners]
    if not names:
        return say("over-draw")
    if len(names) == 1:
        return say("over-one", names=names[0])
    return say("over-several", names=f"{', '.join(names[:-1])} and {names[-1]}")


def _after(seen: Seen) -> Html:
    parts = [
        link(say("replay"), f"{seen.base}/replay", class_="button"),
        link(
            say("record"),
            f"{seen.base}/record",
            class_="button",
            download=f"{seen.table.id}.record",
        ),
        link(say("statistics"), f"{seen.base}/statistics", class_="button"),
    ]
    if seen.table.created.terms.notes:
        parts.append(link(say("notes"), f"{seen.base}/notes", class_="button"))
    if seen.seat >= 0:
        label = say("rematch-join") if seen.table.rematch else say("rematch")
        rematch = button(label, title=say("rematch-help"))
        parts.append(form(f"{seen.base}/rematch", rematch, token=seen.token, class_="inline"))
    return tag("div", parts, class_="ways")


# ---- beside the question ----


def _undo_request(seen: Seen) -> list[Html]:
    request = seen.table.undo_request
    if request is None or seen.seat < 0:
        return []
    if request.seat == seen.seat:
        shown = seen.course.shown_since(request.step, seen.seat)
        return [
            tag("p", say("undo-you-asked")),
            *([tag("p", say("undo-kept", shown=", ".join(shown)))] if shown else []),
            act(seen, "decline", say("withdraw")),
        ]
    if seen.seat in request.agreed:
        return []
    asked = tag("p", say("undo-asked", name=seen.names[request.seat]))
    return [
        tag(
            "div",
            asked,
            act(seen, "agree", say("agree")),
            act(seen, "decline", say("decline")),
            class_="undo-request",
        )
    ]


def _tools(seen: Seen) -> list[Html]:
    if seen.seat < 0:
        return []
    found = []
    course, terms = seen.course, seen.table.created.terms
    if is_turn(seen):
        found.append(link(say("why"), f"{seen.base}/why", class_="tool", data_answer="yes"))
        found.append(link(say("plan"), f"{seen.base}/plan", class_="tool"))
        if terms.hints:
            wait = say("hint-wait", seconds=HINT_SECONDS)
            found.append(
                link(
                    say("hint"),
                    f"{seen.base}/hint",
                    class_="tool",
                    data_answer="yes",
                    data_wait=wait,
                )
            )
    has_chosen = course.last_step_of(frozenset((seen.seat,))) is not None
    if terms.undo != "none" and seen.table.undo_request is None and has_chosen:
        found.append(act(seen, "undo", say("undo-button")))
    return [tag("div", found, class_="tools")] if found else []


# ---- what has happened ----


def _news(seen: Seen) -> list[Html]:
    texts = event_texts(seen, seen.course.news(seen.seat))
    items = [tag("li", text) for text in texts]
    body = tag("ul", items) if items else tag("p", say("no-news"), class_="quiet")
    return [tag("h2", say("news")), tag("div", body, aria_live="polite")]


def event_texts(seen: Seen, events: Sequence[MatchEvent]) -> list[str]:
    """Return events as lines; consecutive equal events are merged into one line with a count."""
    texts = [
        one.text if one.player < 0 else f"{seen.names[one.player]}: {one.text}" for one in events
    ]
    counted = ((text, len(list(alike))) for text, alike in groupby(texts))
    return [text if times == 1 else f"{text} ({times}×)" for text, times in counted]


def _log(seen: Seen) -> list[Html]:
    found = seen.course.log(seen.viewer, _LAST_LINES + 1)
    last = found[-_LAST_LINES:]
    return [
        tag("h2", say("log")),
        tag("ol", log_items(seen, last[::-1]), class_="log"),
        tag("p", link(say("log-all"), f"{seen.base}/log")) if len(found) > len(last) else Html(""),
    ]


def log_items(seen: Seen, found: Sequence[Line]) -> list[Html]:
    """Return lines of the log; each links to its step in the replay. Choices that were taken back are
    struck through.
    """
    names = seen.names
    return [
        _log_item(seen.base, one, names[one.player] if one.player >= 0 else "") for one in found
    ]


@lru_cache(4_096)
def _log_item(base: str, line: Line, name: str) -> Html:
    text = f"{name}: {line.text}" if line.player >= 0 else line.text
    if line.back:
        return tag("li", tag("s", text), " ", tag("small", say("back")))
    step = link(str(line.step), f"{base}/replay?step={line.step}", class_="step")
    return tag("li", step, " ", text)


def _chat(seen: Seen) -> list[Html]:
    table = seen.table
    items = []
    for said in table.chat[-50:]:
        if not said.text:  # deleted
            continue
        name = said.name if said.seat < 0 else seen.names[said.seat]
        label = say("chat-watcher", name=name or say("watcher")) if said.seat < 0 else name
        items.append(tag("li", tag("b", label), " ", said.text))
    parts = [tag("h2", say("chat")), tag("ul", items, aria_live="polite", class_="chat")]
    if seen.seat >= 0 or table.created.terms.watching == "talking":
        control = tag(
            "input", name="text", maxlength=500, aria_label=say("chat-text"), placeholder=say("chat-text"),
            autocomplete="off", id="chat-text",
        )  # fmt: skip
        parts.append(
            form(
                f"{seen.base}/say",
                control,
                button(say("chat-say")),
                token=seen.token,
                class_="inline",
            )
        )
    return parts


def _more(seen: Seen) -> list[Html]:
    parts: list[Html] = []
    if is_turn(seen):
        parts += standing_form(seen)
    elif may_nudge(seen):
        name = seen.names[seen.table.person(seen.game)]
        parts.append(act(seen, "nudge", say("nudge", name=name)))
    above, below = _always(seen.base, seen.token, has_notes=seen.table.created.terms.notes)
    return [tag("details", tag("summary", say("more")), above, *parts, below, id="more-parts")]


@lru_cache(4_096)
def _always(base: str, token: str, *, has_notes: bool) -> tuple[Html, Html]:
    """Return the parts of `more` that never change for a seat: first those above the changing part, then
    those below it.
    """
    about = tag(
        "form",
        tag(
            "label",
            tag("span", say("ask-about"), class_="hidden"),
            tag("input", name="at", placeholder=say("ask-about-help"), autocomplete="off"),
        ),
        button(say("ask")),
        action=f"{base}/look",
        class_="inline",
        data_answer="yes",
    )
    sound = tag("input", type="checkbox", id="sound")
    above = joined(about, tag("label", sound, " ", say("sound"), class_="check"))
    notices = tag("p", link(say("notices"), f"{base}/notices"))
    label = say("note-text")
    text = tag("input", name="text", maxlength=500, aria_label=label, placeholder=label)
    note = form(f"{base}/note", text, button(say("note-button")), token=token, class_="inline")
    kept = joined(note, tag("p", link(say("notes"), f"{base}/notes")))
    leave = button(say("leave"), title=say("leave-help"))
    leaving = form(f"{base}/leave", leave, token=token, class_="inline")
    return above, joined(notices, kept if has_notes else None, leaving)
