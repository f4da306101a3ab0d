"""Handlers for seats and watchers: the page of a match, choices, questions, chat, replay."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from secrets import randbits
from typing import cast, get_args

import attrs
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from rulewright.dsl.deep_calls import call_deeply
from rulewright.interpreter.matches.game import Game
from rulewright.protocol import answers as known
from rulewright.web.pages import texts
from rulewright.web.pages.match import HINT_SECONDS, Parts, match_page, parts_of
from rulewright.web.pages.plan import MOST as MOST_TRIED
from rulewright.web.pages.plan import plan_page
from rulewright.web.pages.seen import Seen, is_turn
from rulewright.web.pages.statistics import statistics_page
from rulewright.web.serving.hub import Live, now_in_ms
from rulewright.web.serving.packing import accepts_gzip, gzip_stream
from rulewright.web.serving.secrets import HOST, new_id
from rulewright.web.serving.site import (
    NoPageError,
    Site,
    page_response,
    success_response,
    wants_data,
)
from rulewright.web.serving.streams import MOST, RELOAD
from rulewright.web.storage.store import NoSuchTableError, TakenError
from rulewright.web.tables import events
from rulewright.web.tables.course import Course, chance_at_start
from rulewright.web.tables.table import Table
from rulewright.web.words import say


async def page(site: Site, request: Request) -> Response:
    """Show the page of a match as a seat or a spectator sees it."""
    live, seen = await site.seat_view(request)
    async with live.lock:
        await site.hub.course_ready(live)
        found = site.streams.cached_page(live, _key(seen), lambda: parts_of(seen))
        hands = site.hands(request, live).seats
        html = match_page(site.files, seen, found.parts, found.number, hands)
    return page_response(html)


def _key(seen: Seen) -> str:
    """Return a key for each kind of viewer: forms contain the token of a seat, which depends on the link of
    the seat.
    """
    return (
        f"{seen.seat} {seen.token} {'hot' if seen.hot else ''} {'reminds' if seen.reminds else ''}"
    )


async def stream(site: Site, request: Request) -> Response:
    """Send the stream of changes for an open page."""
    live, seen = await site.seat_view(request)
    if site.streams.count >= MOST:
        raise NoPageError(say("too-fast"), 503)
    said = request.headers.get("last-event-id") or request.query_params.get("number", "")
    known = int(said) if said.isascii() and said.isdecimal() and len(said) < 20 else -1

    def render() -> Parts:
        if seen.seat >= 0 and site.secrets.form(live.table, seen.seat) != seen.token:
            raise NoPageError(say("no-seat"), 403)
        reminds = live.table.may_nudge(live.game, now_in_ms())
        return parts_of(attrs.evolve(seen, game=live.game, reminds=reminds))

    async def follow() -> AsyncGenerator[str, None]:
        try:
            async for text in site.streams.follow(live, _key(seen), known, render):
                yield text
        except (
            NoPageError
        ):  # the seat has a new link now, and the page learns this with its next request
            yield RELOAD

    headers = {"X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    if not accepts_gzip(request):
        return StreamingResponse(follow(), media_type="text/event-stream", headers=headers)
    headers["Content-Encoding"] = "gzip"
    return StreamingResponse(gzip_stream(follow()), media_type="text/event-stream", headers=headers)


async def choose(site: Site, request: Request) -> Response:
    """Answer a decision."""
    live, seen = await site.seat_view(request)
    found = await site.form(request, live, seen.seat)
    answers, place = _whole(found.get("decision", "")), _whole(found.get("option", ""))
    if answers is None or place is None:
        raise NoPageError(say("no-form"), 400, seen.base)

    def command(table: Table, game: Game) -> Sequence[events.Event]:
        return table.choose(game, seen.seat, answers, table.option(game, seen.seat, answers, place))

    live = await site.hub.run(live.table.id, command)
    is_hot = "hot" in request.query_params
    back = f"/t/{live.table.id}/hot?last={seen.seat}" if is_hot else seen.base
    return success_response(request, back)


async def stand(site: Site, request: Request) -> Response:
    """Choose an option, and keep choosing it until something changes."""
    live, seen = await site.seat_view(request)
    found = await site.form(request, live, seen.seat)
    answers, place = _whole(found.get("decision", "")), _whole(found.get("option", ""))
    until = found.get("until", "")
    if answers is None or place is None or until not in get_args(events.Until):
        raise NoPageError(say("no-form"), 400, seen.base)

    def command(table: Table, game: Game) -> Sequence[events.Event]:
        option = table.option(game, seen.seat, answers, place)
        return table.stand(game, seen.seat, answers, option, cast("events.Until", until))

    live = await site.hub.run(live.table.id, command)
    return success_response(request, seen.base)


async def act(what: str, site: Site, request: Request) -> Response:
    """Carry out an action of a seat: undo, agree, decline, remind, come back, or leave."""
    live, seen = await site.seat_view(request)
    await site.form(request, live, seen.seat)
    hands = frozenset(site.hands(request, live).seats)

    def command(table: Table, game: Game) -> Sequence[events.Event]:
        match what:
            case "undo":
                return table.undo(game, seen.seat, hands)
            case "agree":
                return table.agree(game, seen.seat)
            case "decline":
                return table.decline(game, seen.seat)
            case "nudge":
                return table.nudge_by(game, seen.seat, now_in_ms())
            case "stand-down":
                return table.stand_down(seen.seat)
            case "back":
                return table.sit(game, seen.seat, table.seats[seen.seat].name)
            case _:
                return table.leave(seen.seat)

    live = await site.hub.run(live.table.id, command)
    return success_response(request, seen.base if what != "leave" else f"/t/{live.table.id}")


async def say_it(site: Site, request: Request) -> Response:
    """Add a line of chat."""
    live, seen = await site.seat_view(request)
    found = await site.form(request, live, seen.seat)
    text = found.get("text", "")
    live = await site.hub.run(live.table.id, lambda table, game: table.say(seen.seat, "", text))
    return success_response(request, seen.base)


async def note(site: Site, request: Request) -> Response:
    """Add a note for the designer."""
    live, seen = await site.seat_view(request)
    found = await site.form(request, live, seen.seat)
    text = found.get("text", "")
    live = await site.hub.run(
        live.table.id, lambda table, game: table.note(seen.seat, table.course(game).step, text)
    )
    return success_response(request, seen.base)


async def question(what: str, site: Site, request: Request) -> Response:
    """Answer "why", "look" or "hint": for a script as part of a page, otherwise as a page."""
    live, seen = await site.seat_view(request)
    at = request.query_params.get("at", "")[:100]
    state = seen.course.state
    if what == "hint":
        if not seen.table.created.terms.hints or seen.seat < 0:
            raise NoPageError(say("no-hints"), 403, seen.base)
        title = say("hint-title")
        if known.may_decide(state, seen.seat):
            position = await site.hub.position(live)
            try:
                async with asyncio.timeout(HINT_SECONDS):
                    found = await site.hub.bots.hint(position, seen.seat, "1s")
            except TimeoutError:
                late = say("hint-late", seconds=HINT_SECONDS)
                raise NoPageError(late, 503, seen.base) from None
        else:
            found = known.hint(state, seen.seat, "")
    elif what == "why":
        title = say("why-title")
        found = [] if state.over else known.why_lines(state, seen.viewer, at)
    else:
        title = say("look-title", at=at)
        found = _about(seen, at)
    groups = known.refused_options(state, seen.viewer) if what == "why" and not at else []
    answer = texts.refused_options(groups) if groups else texts.answer(title, found)
    if wants_data(request):
        return HTMLResponse(answer)
    return page_response(texts.answer_page(site.files, seen, title, answer))


def _about(seen: Seen, at: str) -> list[str]:
    """Return the answer to "why" and "look" about a thing: its description, and the reason for a refusal or
    a value.
    """
    if not at.strip():
        return [say("ask-about-help")]
    match, state = seen.course.match, seen.course.state
    found = known.look_lines(match, seen.viewer, at)
    if found and found[0].startswith("nothing is called") and not state.over:
        return known.why_lines(state, seen.viewer, at) or found
    if known.is_refused(state, seen.viewer, at):
        found = [*found, "", *known.why_lines(state, seen.viewer, at)]
    return found


async def text(what: str, site: Site, request: Request) -> Response:
    """Show the rules, the log, the score, or the notes."""
    _, seen = await site.seat_view(request)
    if what == "rules":
        return page_response(texts.rules_page(site.files, seen.game, seen.base))
    if what == "score":
        return page_response(texts.score_page(site.files, seen))
    if what == "notes":
        return page_response(texts.notes_page(site.files, seen))
    only = request.query_params.get("only", "")
    is_seat = only.isascii() and only.isdecimal() and len(only) < 3 and int(only) < len(seen.names)
    return page_response(texts.log_page(site.files, seen, int(only) if is_seat else None))


async def record(site: Site, request: Request) -> Response:
    """Return the record of a match that has ended; it contains all results of chance, and the seed."""
    _, seen = await site.seat_view(request)
    if not seen.course.state.over:
        raise NoPageError(say("not-over"), 403, seen.base)
    seats = [
        seat.bot or (f"human:{seat.name}" if seat.name else "human") for seat in seen.table.seats
    ]
    found = seen.course.record(seats).to_text()
    return Response(
        found,
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{seen.table.id}.record"'},
    )


async def replay(site: Site, request: Request) -> Response:
    """Show the match at an earlier step."""
    _, seen = await site.seat_view(request)
    steps = tuple(seen.course.steps)
    given = request.query_params.get("as", "")
    as_seat = _number(given, len(seen.names) - 1) if given else None
    if as_seat is not None and not seen.course.state.over:
        as_seat = None
    viewer = seen.viewer if as_seat is None else as_seat
    counted = seen.course.step_counts(viewer)
    step = _number(request.query_params.get("step", ""), counted[-1])
    until = bisect_right(counted, step) - 1
    past = await asyncio.to_thread(call_deeply, _past, seen.table, seen.game, steps[:until])
    return page_response(texts.replay_page(site.files, seen, past, as_seat, (step, counted[-1])))


async def plan(site: Site, request: Request) -> Response:
    """Show a private board for trying moves, starting at the seat's own decision."""
    _, seen = await site.seat_view(request)
    if not is_turn(seen):
        return RedirectResponse(seen.base, 303)
    seed = (
        _number(request.query_params.get("seed", ""), 10**9)
        if "seed" in request.query_params
        else randbits(29)
    )
    places = [_number(one, 10**6) for one in request.query_params.getlist("do")[:MOST_TRIED]]
    html = await asyncio.to_thread(call_deeply, plan_page, site.files, seen, seed, places)
    return page_response(html)


def _whole(text: str) -> int | None:
    """Parse a number in a form; return None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _number(text: str, most: int) -> int:
    known = text.isascii() and text.isdecimal() and len(text) < 9
    return min(int(text), most) if known else most


def _past(table: Table, game: Game, steps: Sequence[tuple[str, ...]]) -> Course:
    made = table.created
    course = Course.begin(game, table.variant, made.seed, made.start, table.names)
    for number, step in enumerate(steps):
        course.follow(number, step)
    return course


async def statistics(site: Site, request: Request) -> Response:
    """Show statistics after the end of a match; earlier they could reveal secrets."""
    _, seen = await site.seat_view(request)
    if not seen.course.state.over:
        raise NoPageError(say("not-over"), 403, seen.base)
    return page_response(await asyncio.to_thread(call_deeply, statistics_page, site.files, seen))


async def rematch(site: Site, request: Request) -> Response:
    """Move the same people to a new table, with the seats rotated; the first request creates the table."""
    live, seen = await site.seat_view(request)
    await site.form(request, live, seen.seat)
    if not seen.course.state.over:
        raise NoPageError(say("not-over"), 403, seen.base)
    old, hands = seen.table, site.hands(request, live)
    is_first = not old.rematch

    def command(table: Table, game: Game) -> Sequence[events.Event]:
        return () if table.rematch else (events.Rematched(new_id()),)

    live = await site.hub.run(old.id, command)
    new = await _again(site, live.table)
    own = sorted((seat - 1) % old.persons for seat in hands.seats)

    def sit(table: Table, game: Game) -> Sequence[events.Event]:
        found = [((seat - 1) % old.persons, old.seats[seat].name) for seat in hands.seats]
        return [event for seat, name in found for event in table.sit(game, seat, name)]

    new = await site.hub.run(new.table.id, sit)
    where = f"s/{own[0]}" if len(own) == 1 else "hot"
    response = RedirectResponse(f"/t/{new.table.id}/{where}", 303)
    site.give(response, request, new, *own, *([HOST] if is_first or hands.is_host else []))
    return response


async def _again(site: Site, old: Table) -> Live:
    """Return the table of the rematch, and create it if it does not exist yet."""

    def first_events(game: Game) -> Sequence[events.Event]:
        created = attrs.evolve(
            old.created,
            rules=game.hash,
            seed=(seed := new_seed()),
            start=chance_at_start(game, old.variant, seed),
            former=old.id,
        )
        befores = [old.seats[(seat + 1) % old.persons] for seat in range(old.persons)]
        bots = [
            events.BotSat(seat, before.bot)
            for seat, before in enumerate(befores)
            if before.who == "bot" and not before.stands_in
        ]
        return [created, *bots]

    if old.created.game not in site.hub.library.names:
        raise NoPageError(say("no-game"), 404, f"/t/{old.id}")
    try:
        return await site.hub.get(old.rematch)
    except NoSuchTableError:
        with suppress(TakenError):  # somebody else has just created the table
            return await site.hub.create(old.created.game, first_events, old.rematch)
        return await site.hub.get(old.rematch)


def new_seed() -> int:
    """Draw the seed of a new match."""
    return randbits(31)


async def hot(site: Site, request: Request) -> Response:
    """If a device has several seats, go to the seat that decides, through a blank page if the game has
    secrets.
    """
    live = await site.live(request)
    seats = site.hands(request, live).seats
    if not seats:
        raise NoPageError(say("no-seat"), 403, f"/t/{live.table.id}")
    await site.hub.course_ready(live)
    state = live.table.course(live.game).state
    last = _number(request.query_params.get("last", ""), live.table.persons)
    seat = last if last in seats else seats[0]
    if not state.over and state.player in seats:
        seat = state.player
    base = f"/t/{live.table.id}/s/{seat}"
    is_same = seat == last
    if live.table.is_waiting or state.over or is_same or not state.compiled.viewer.has_secrets:
        return RedirectResponse(f"{base}?hot=1", 303)
    seen = Seen(live.table, live.game, seat, "", base)
    return page_response(texts.hot_page(site.files, seen))
