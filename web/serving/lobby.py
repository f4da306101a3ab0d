"""Handlers for games, new tables, links and the host."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from hmac import compare_digest
from io import BytesIO
from secrets import randbelow

import attrs
import segno
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from rulewright.dsl.deep_calls import call_deeply
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.text.errors import RequestError, WrongVariantError
from rulewright.interpreter.views.view import EVERYBODY
from rulewright.web.pages.games import UNITS, USUAL, Mine, NewTable, games_page, new_page
from rulewright.web.pages.html import Html, tag
from rulewright.web.pages.layout import form as form_of
from rulewright.web.pages.seats import HostPage, host_page, key_page, table_page
from rulewright.web.pages.seen import waiting
from rulewright.web.pages.texts import rules_page
from rulewright.web.serving.bots import LEVELS
from rulewright.web.serving.contacts import set_webhook, webhooks
from rulewright.web.serving.hub import Live
from rulewright.web.serving.secrets import HOST, WATCH, new_id
from rulewright.web.serving.site import NoPageError, Site, mine_of, page_response, success_response
from rulewright.web.tables import events
from rulewright.web.tables.course import chance_at_start
from rulewright.web.tables.table import RefusedError, Table
from rulewright.web.words import say

SEEDS = 2**31


async def games(site: Site, request: Request) -> Response:
    """Show the page with the list of games and the tables of this device."""
    library = site.hub.library
    is_read = library.is_read

    def current_games() -> list[tuple[str, Game | None]]:
        return [(name, library.now(name)) for name in library.names]

    if is_read:
        found = await asyncio.to_thread(call_deeply, current_games)
    else:  # the server has just started: the page does not wait for all rules
        found = [(name, library.in_memory(name)) for name in library.names]
    mine = []
    for id, seats in reversed(mine_of(request).items()):
        try:
            live = await site.hub.get(id)
            await site.hub.course_ready(live)
        except Exception:  # deleted or damaged: the page of the table says so
            continue
        mine.append(_mine(live, seats))
    mine.sort(key=lambda one: (not one.is_mine, one.is_over, -one.since))
    response = page_response(games_page(site.files, found, mine, is_read=is_read))
    if not is_read:
        response.headers["Refresh"] = "2"
    return response


def _mine(live: Live, seats: set[int]) -> Mine:
    table = live.table
    mine = Mine(f"/t/{table.id}", table.created.title, since=table.asked_at, due=table.due)
    if table.stopped:
        return attrs.evolve(mine, state=say("stopped-short"))
    if table.is_waiting or table.is_paused:
        return attrs.evolve(mine, state=waiting(table) if table.is_waiting else say("paused"))
    now = table.course(live.game).state
    if now.over:
        return attrs.evolve(mine, state=say("over-short"), is_over=True)
    is_mine = now.player in seats
    since = table.awaited_since(live.game, now.player if is_mine else EVERYBODY)
    due = table.due and table.due - (table.asked_at - since)
    player = now.players[now.player]
    return attrs.evolve(mine, player=player, is_mine=is_mine, since=since, due=due)


async def rules(site: Site, request: Request) -> Response:
    """Show the rulebook of a game."""
    return page_response(rules_page(site.files, await _game(site, request)))


async def _game(site: Site, request: Request) -> Game:
    name = request.path_params["game"]
    if name not in site.hub.library.names:
        raise NoPageError(say("no-page"))
    return await asyncio.to_thread(call_deeply, site.hub.library.offered_game, name)


async def new(site: Site, request: Request) -> Response:
    """Show the form for a new table."""
    game = await _game(site, request)
    given = request.query_params.get("players", "")
    is_number = given.isascii() and given.isdecimal() and len(given) < 4
    players = int(given) if is_number else game.variant().players
    players = max(game.facts.low, min(players, game.facts.high))
    options: Sequence[tuple[str, str]] = ()
    with suppress(WrongVariantError):  # no variant is for this number of players
        options = game.variant(players).options
    usual = {**USUAL, **{f"option-{name}": value for name, value in options}}
    return page_response(new_page(site.files, _new(site, request, game, players, usual)))


def _new(
    site: Site,
    request: Request,
    game: Game,
    players: int,
    given: Mapping[str, str],
    problem: str = "",
) -> NewTable:
    name, bots = request.path_params["game"], (*LEVELS, "greedy", "random")
    needs_code = site.who_may_create != "anyone"
    return NewTable(name, game, players, given, bots, needs_code, problem)


async def create(site: Site, request: Request) -> Response:
    """Create a table from the fields of a form, and make this device its host."""
    game = await _game(site, request)
    found = await site.form(request)
    if site.who_may_create != "anyone" and not compare_digest(
        found.get("code", "").encode(), site.code.encode()
    ):
        raise NoPageError(say("wrong-code"), 403)
    client = request.client.host if request.client else ""
    if not site.creating.may(client):
        raise NoPageError(say("too-fast"), 429)
    if await asyncio.to_thread(site.hub.store.open_tables) >= site.most_tables:
        raise NoPageError(say("too-many-tables"), 503)
    try:
        made = _make_creator(game, request.path_params["game"], found)
        live = await site.hub.create(request.path_params["game"], made, new_id())
    except (RequestError, RefusedError) as failure:
        players = max(game.facts.low, min(_number(found.get("players", "")), game.facts.high))
        refused = _new(site, request, game, players, found, str(failure))
        return page_response(new_page(site.files, refused), 400)
    response = RedirectResponse(f"/t/{live.table.id}", 303)
    own = [seat for seat in range(live.table.persons) if found.get(f"seat{seat}") == "me"]
    site.give(response, request, live, HOST, *own)
    return response


def _make_creator(game: Game, name: str, found: dict[str, str]):  # type: ignore[no-untyped-def]
    """Return a function that returns the first events of a table."""
    options = {
        key.removeprefix("option-"): value
        for key, value in found.items()
        if key.startswith("option-")
    }
    players = _number(found.get("players", "")) or None
    terms = events.Terms(
        undo=_word(found.get("undo", ""), ("own", "free", "consent", "none")),  # type: ignore[arg-type]
        hints="hints" in found,
        watching=_word(found.get("watching", ""), ("silent", "talking", "none")),  # type: ignore[arg-type]
        chat="chat" in found,
        notes="notes" in found,
        limit=_number(found.get("limit", ""), 5) * UNITS.get(found.get("unit", ""), 1),
        late=_word(found.get("late", ""), ("told", "once", "bot")),  # type: ignore[arg-type]
        delay=_number(found.get("delay", "")),
    )

    def first_events(game: Game) -> Sequence[events.Event]:
        variant = game.variant(players, options)
        seed = randbelow(SEEDS)
        seats = len(game.compiled(variant).words.players)
        created = events.Created(
            name,
            game.title,
            game.hash,
            variant.players,
            variant.options,
            seed,
            seats,
            chance_at_start(game, variant, seed),
            terms,
        )
        table = Table.of("new", [(1, 0, created)])
        result: list[events.Event] = [created]

        def add(*further: events.Event) -> None:
            for event in further:
                table.take(table.number + 1, 0, event)
                result.append(event)

        own = [seat for seat in range(variant.players) if found.get(f"seat{seat}", "link") == "me"]
        for seat in range(variant.players):
            who = found.get(f"seat{seat}", "link")
            if who.startswith("bot:"):
                add(*table.set_bot(seat, who.removeprefix("bot:")))
            elif who == "open":
                add(*table.open_seat(seat))
            elif who == "me":
                name_given = found.get("name", "") if seat == own[0] else ""
                add(*table.sit(game, seat, name_given))
        return result

    return first_events


def _number(text: str, digits: int = 3) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else 0


def _word(text: str, words: Sequence[str]) -> str:
    return text if text in words else words[0]


async def table(site: Site, request: Request) -> Response:
    """Show the page of a table with its seats."""
    live = await site.live(request)
    hands = site.hands(request, live)
    links = {seat: _key_address(site, request, live.table, seat) for seat in hands.seats}
    return page_response(table_page(site.files, live.table, live.game, hands, links))


def _key_address(site: Site, request: Request, table: Table, role: int) -> str:
    return site.address(request, f"/t/{table.id}/k/{site.secrets.link(table, role)}")


async def key(site: Site, request: Request) -> Response:
    """Show the page of a link; opening this page changes nothing."""
    live, role, token = await _key(site, request)
    return page_response(key_page(site.files, live.table, live.game, role, token))


async def take(site: Site, request: Request) -> Response:
    """Use a link, so that this device holds the seat from now on."""
    live, role, _ = await _key(site, request)
    found = await site.form(request)
    if role >= 0:
        live = await site.hub.run(
            live.table.id, lambda table, game: table.sit(game, role, found.get("name", ""))
        )
    where = {HOST: "host", WATCH: "w"}.get(role, f"s/{role}")
    response = RedirectResponse(f"/t/{live.table.id}/{where}", 303)
    site.give(response, request, live, role)
    return response


async def _key(site: Site, request: Request) -> tuple[Live, int, str]:
    live = await site.live(request)
    token = request.path_params["token"]
    role = site.secrets.role(live.table, token)
    if role is None:
        raise NoPageError(say("no-key"), 404, f"/t/{live.table.id}")
    return live, role, token


async def take_open(site: Site, request: Request) -> Response:
    """Take a seat that is open to anybody."""
    live = await site.live(request)
    found = await site.form(request)
    seat: int = request.path_params["seat"]

    def command(table: Table, game: Game) -> Sequence[events.Event]:
        if not (0 <= seat < table.persons and table.seats[seat].who == "open"):
            raise RefusedError("seat-taken", say("refused-seat-taken"))
        return table.sit(game, seat, found.get("name", ""))

    live = await site.hub.run(live.table.id, command)
    response = RedirectResponse(f"/t/{live.table.id}/s/{seat}", 303)
    site.give(response, request, live, seat)
    return response


async def host(site: Site, request: Request) -> Response:
    """Show the page of the host."""
    live = await _table_of_host(site, request)
    table = live.table

    address = partial(_key_address, site, request, table)
    links = [address(seat) for seat in range(table.persons)]
    codes = [_code(link) for link in links]
    token = site.secrets.form(table, HOST)
    note = _rules_note(site, live, token)
    hook = None
    if site.notices.settings.webhooks:
        hook = next((one.address for one in await webhooks(site, live)), "")
    bots = (*LEVELS, "greedy", "random")
    shown_host = HostPage(links, codes, address(WATCH), address(HOST), token, bots, note, hook)
    return page_response(host_page(site.files, table, live.game, shown_host))


async def _table_of_host(site: Site, request: Request) -> Live:
    live = await site.live(request)
    if not site.hands(request, live).is_host:
        raise NoPageError(say("no-seat"), 403, f"/t/{live.table.id}")
    return live


def _rules_note(site: Site, live: Live, token: str) -> Html | None:
    """Return a note if the rules have changed since the table began, otherwise None."""
    library, table = site.hub.library, live.table
    now = library.now(table.created.game)
    if now is None or now.hash == table.rules:
        return None
    move = tag("button", say("rules-move"), name="do", value="rules")
    return tag(
        "section", tag("p", say("rules-changed")), form_of(f"/t/{table.id}/host", move, token=token)
    )


def _code(address: str) -> Html:
    out = BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", border=2, scale=4, xmldecl=False, svgns=True, nl=False
    )
    return Html(out.getvalue().decode())


async def host_action(site: Site, request: Request) -> Response:
    """Carry out an action of the host."""
    live = await _table_of_host(site, request)
    found = await site.form(request, live, HOST)
    seat = _number(found.get("seat", ""))
    what, who = found.get("do", ""), found.get("who", "")

    def command(table: Table, game: Game) -> Sequence[events.Event]:
        if what in ("pause", "resume"):
            return table.pause(goes_on=what == "resume")
        if what == "rules":
            return site.hub.move_rules(table)
        if what not in ("seat", "link"):
            raise NoPageError(say("no-form"), 400, f"/t/{table.id}/host")
        if not seat < table.persons:
            raise RefusedError("no-such-seat", say("refused-no-such-seat"))
        if what == "link":
            return (events.Issued(seat),)
        if who.startswith("bot:"):
            return table.set_bot(seat, who.removeprefix("bot:"))
        if who == "same":
            return ()
        return table.open_seat(seat) if who == "open" else table.leave(seat)

    if what == "webhook":
        await set_webhook(site, live, found.get("address", "").strip())
    else:
        live = await site.hub.run(live.table.id, command)
    return success_response(request, f"/t/{live.table.id}/host")
