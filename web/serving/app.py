"""The application: addresses and their handlers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rulewright.dsl.deep_calls import call_deeply
from rulewright.interpreter.matches.game import Game
from rulewright.pictures import script, styles
from rulewright.web.pages.layout import Files
from rulewright.web.serving import api, contacts, lobby, play
from rulewright.web.serving.bots import Bots
from rulewright.web.serving.clock import Clock
from rulewright.web.serving.guard import Guard, Rates
from rulewright.web.serving.homes import Home
from rulewright.web.serving.hub import Hub
from rulewright.web.serving.library import Library
from rulewright.web.serving.looks import GameLooks
from rulewright.web.serving.notices import Notices, Settings
from rulewright.web.serving.others import Others
from rulewright.web.serving.secrets import Secrets
from rulewright.web.serving.site import Site, WhoMayCreate, failure_response, handle_failures
from rulewright.web.serving.streams import Streams
from rulewright.web.storage.store import StorageError, Store, is_shared
from rulewright.web.words import say

if TYPE_CHECKING:
    from rulewright.web.serving.listening import Listening

LOG = logging.getLogger("rulewright.web")
STATIC = Path(__file__).parents[1] / "static"
_KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@attrs.frozen
class Options:
    """The settings of a server."""

    data: Path
    games: Mapping[str, str]
    """The names or paths of the games for `load`, keyed by a short name."""
    load: Callable[[str], Game]
    texts: Callable[[Game], Mapping[Path, bytes]]
    database: str = ""
    public: str = ""
    who_may_create: WhoMayCreate = "anyone"
    code: str = ""
    bot_jobs: int = 1
    notices: Settings = attrs.field(factory=Settings)
    forget_after: int = 0
    """After how many days without a move the names at a table are deleted; 0 means never."""
    home: Home = attrs.field(factory=Home)
    """The place of this process among the processes of the server."""
    warmed: Callable[[], object] = bool
    """Called when all games are ready."""

    @property
    def address(self) -> str:
        """The address of the database."""
        return self.database or f"sqlite:///{(self.data / 'tables.sqlite').resolve()}"

    asked: float = 40.0
    """The maximum number of requests per second from one address."""
    sent: float = 10.0
    """The maximum number of requests per second from one address that may change something."""


def make_app(options: Options) -> Guard:
    """Return the application of one server process."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        options.data.mkdir(parents=True, exist_ok=True)
        address = options.address
        store = await asyncio.to_thread(Store, address)
        library = Library(store, options.data, options.games, options.load, options.texts)
        hub = Hub(store, library, Bots(options.bot_jobs), options.home)
        loop = asyncio.get_running_loop()
        others = _others(store, hub)
        hub.tell = others.tell
        secrets = Secrets(await asyncio.to_thread(store.secret))
        notices = Notices(store, secrets, options.notices, options.public)
        clock = Clock(hub, notices, options.forget_after)
        site = Site(
            hub,
            secrets,
            Streams(hub),
            _files(),
            GameLooks(library),
            notices,
            clock,
            options.forget_after,
            options.public,
            options.who_may_create,
            options.code,
            creating=Rates(2 * options.sent, options.sent / 300),
        )
        app.state.site = site
        app.state.loop = loop
        warming = loop.create_task(asyncio.to_thread(_warm, library, options.warmed))
        ticking = loop.create_task(clock.run())
        try:
            yield
        finally:
            warming.cancel()
            ticking.cancel()
            await asyncio.gather(ticking, return_exceptions=True)
            await notices.close()
            site.streams.close()
            others.close()
            await hub.close()
            await asyncio.to_thread(store.close)

    app = Starlette(
        routes=_routes(lambda: app.state.site),
        lifespan=lifespan,
        middleware=[Middleware(GZipMiddleware, minimum_size=1_000, compresslevel=4)],
        exception_handlers={404: _no_page, 405: _no_page},
    )
    return Guard(
        app,
        lambda request, word, status: failure_response(request, _files(), say(word), status),
        options.public,
        Rates(options.asked * 5, options.asked),
        Rates(options.sent * 6, options.sent),
    )


def _others(store: Store, hub: Hub) -> Others | Listening:
    """Connect to the other servers of the database: by sockets on one machine, through the database on
    several.
    """
    if not is_shared(store.address):
        return Others.open(store.address, hub.hear)
    # lazy import: only users of PostgreSQL need its library
    from rulewright.web.serving.listening import Listening  # noqa: PLC0415

    return Listening.open(store, hub.hear, hub.hear_all)


def _warm(library: Library, done: Callable[[], object]) -> None:
    """Read all games, then compile the usual variant of each, so that the first page of a table appears at
    once.
    """
    games = []
    for name in library.names:
        try:
            games.append(call_deeply(library.offered_game, name))
        except Exception as failure:  # the page of the game reports the failure
            LOG.warning("the game %s cannot be read: %s", name, failure)
    library.is_read = True
    for game in games:
        try:
            call_deeply(game.compiled, game.variant())
        except Exception as failure:
            LOG.warning("the game %s cannot be made ready: %s", game.name, failure)
    done()


def _routes(site: Callable[[], Site]) -> list[BaseRoute]:
    def to(
        handler: Callable[[Site, Request], Awaitable[Response]],
    ) -> Callable[[Request], Awaitable[Response]]:
        async def run(request: Request) -> Response:
            return await handler(site(), request)

        return handle_failures(site, run)

    def get(path: str, handler: Callable[[Site, Request], Awaitable[Response]]) -> Route:
        return Route(path, to(handler), methods=["GET"])

    def post(path: str, handler: Callable[[Site, Request], Awaitable[Response]]) -> Route:
        return Route(path, to(handler), methods=["POST"])

    seat, table, watch = "/t/{table}/s/{seat:int}", "/t/{table}", "/t/{table}/w"
    routes: list[BaseRoute] = [
        get("/", lobby.games),
        get("/health", health),
        get("/static/{file:path}", static),
        get("/looks/{game}/{file:path}", look),
        get("/picture/{game}", picture),
        get("/rules/{game}", lobby.rules),
        get("/new/{game}", lobby.new),
        post("/new/{game}", lobby.create),
        get(table, lobby.table),
        get(f"{table}/k/{{token}}", lobby.key),
        post(f"{table}/k/{{token}}", lobby.take),
        post(f"{table}/open/{{seat:int}}", lobby.take_open),
        get(f"{table}/host", lobby.host),
        post(f"{table}/host", lobby.host_action),
        get(f"{table}/hot", play.hot),
        get(f"{table}/notices/{{token}}", contacts.link),
        post(f"{table}/notices/{{token}}", contacts.use_link),
        get(f"{seat}/notices", contacts.page),
        post(f"{seat}/notices", contacts.change),
        post(f"{seat}/choose", play.choose),
        post(f"{seat}/note", play.note),
        post(f"{seat}/stand", play.stand),
        get(f"{seat}/plan", play.plan),
        post(f"{seat}/rematch", play.rematch),
        post("/api/t/{table}", api.answer),
    ]
    for base in (seat, watch):
        routes += [
            get(base, play.page),
            get(f"{base}/events", play.stream),
            get(f"{base}/replay", play.replay),
            get(f"{base}/record", play.record),
            get(f"{base}/statistics", play.statistics),
            post(f"{base}/say", play.say_it),
        ]
        for what in ("why", "look", "hint"):
            routes.append(get(f"{base}/{what}", partial(play.question, what)))
        for what in ("rules", "log", "score", "notes"):
            routes.append(get(f"{base}/{what}", partial(play.text, what)))
    for what in ("undo", "agree", "decline", "nudge", "stand-down", "back", "leave"):
        routes.append(post(f"{seat}/{what}", partial(play.act, what)))
    return routes


async def _no_page(request: Request, _: Exception | None = None) -> Response:
    return failure_response(request, _files(), say("no-page"), 404)


async def health(site: Site, request: Request) -> Response:
    """Report whether the server works: whether it answers and can read its database."""
    try:
        tables = await asyncio.to_thread(site.hub.store.open_tables)
    except StorageError:
        return JSONResponse({"status": "the database cannot be read"}, 503)
    found = {
        "status": "ok",
        "open tables": tables,
        "tables in memory": site.hub.in_memory,
        "streams": site.streams.count,
    }
    return JSONResponse(found)


async def look(site: Site, request: Request) -> Response:
    """Return the stylesheet or a picture of a game."""
    found = await site.looks.answer(request)
    return await _no_page(request) if found is None else found


async def picture(site: Site, request: Request) -> Response:
    """Return the picture of a game in the list of games."""
    found = await site.looks.picture(request.path_params["game"])
    return await _no_page(request) if found is None else found


# ---- files ----


def _read_files() -> dict[str, tuple[bytes, str]]:
    """Read all files that pages use. Each name contains part of the file's hash, so a changed file has a
    new address.
    """
    found = {
        file.relative_to(STATIC).as_posix(): file.read_bytes()
        for file in sorted(STATIC.rglob("*"))
        if file.suffix in _KINDS
    }
    found["pictures.css"] = styles().encode()
    found["pictures.js"] = script().encode()
    return {
        f"{sha256(data).hexdigest()[:10]}/{name}": (data, _KINDS[Path(name).suffix])
        for name, data in found.items()
    }


_FILES = _read_files()


def _address(name: str) -> str:
    return "/static/" + next(address for address in _FILES if address.partition("/")[2] == name)


def _files() -> Files:
    return Files(
        _address("site.css"),
        _address("pictures.css"),
        _address("pictures.js"),
        _address("table.js"),
        _address("vendor/idiomorph-0.8.0.min.js"),
        _address("icon.svg"),
        _address("push.js"),
    )


async def static(site: Site, request: Request) -> Response:
    """Return a file that pages use, if it was read at the start."""
    found = _FILES.get(request.path_params["file"])
    if found is None:
        return await _no_page(request)
    data, kind = found
    more = {"Service-Worker-Allowed": "/"} if request.url.path == _address("push.js") else {}
    return Response(data, media_type=kind, headers={**_FOREVER, **more})
