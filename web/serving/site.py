"""The common base of all handlers: the hub, the secrets, the files, and pages about failures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Literal

import attrs
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from rulewright.interpreter.text.errors import RequestError
from rulewright.interpreter.text.faults import RuleFault
from rulewright.web.pages.html import Html
from rulewright.web.pages.layout import Files
from rulewright.web.pages.seats import Hands
from rulewright.web.pages.seen import Seen
from rulewright.web.pages.texts import error_page
from rulewright.web.serving.bots import StoppingError
from rulewright.web.serving.clock import Clock
from rulewright.web.serving.guard import Rates, TooLargeError
from rulewright.web.serving.hub import Hub, Live, now_in_ms
from rulewright.web.serving.library import NoRulesError
from rulewright.web.serving.looks import GameLooks
from rulewright.web.serving.notices import Notices
from rulewright.web.serving.secrets import HOST, WATCH, Secrets
from rulewright.web.serving.streams import Streams
from rulewright.web.storage.store import (
    DamagedRowError,
    NoSuchTableError,
    StorageError,
    TakenError,
)
from rulewright.web.tables.events import DamagedEventError
from rulewright.web.tables.table import RefusedError
from rulewright.web.words import say

LOG = logging.getLogger("rulewright.web")
YEAR = 365 * 24 * 3600
_MOST_MINE = 40

Handler = Callable[[Request], Awaitable[Response]]
WhoMayCreate = Literal["anyone", "code", "host"]


class NoPageError(Exception):
    """Raised if a page does not exist, or this device may not see it; the text gives the reason."""

    def __init__(self, message: str, status: int = 404, back: str = "/") -> None:
        super().__init__(message)
        self.status = status
        self.back = back


@attrs.define(eq=False)
class Site:
    """The parts of one server process that handlers need."""

    hub: Hub
    secrets: Secrets
    streams: Streams
    files: Files
    looks: GameLooks
    notices: Notices
    clock: Clock
    forget_after: int = 0
    public: str = ""
    who_may_create: WhoMayCreate = "anyone"
    code: str = ""
    most_tables: int = 5_000
    mailing: Rates = attrs.field(factory=lambda: Rates(5, 5 / 86_400))
    creating: Rates = attrs.field(factory=lambda: Rates(20, 20 / 3600))

    def close(self) -> None:
        """End everything that could keep the server from stopping."""
        self.streams.close()
        self.hub.bots.close()

    # ---- who asks ----

    def hands(self, request: Request, live: Live) -> Hands:
        """Return the rights of the device at a table, according to its cookies."""
        table = live.table
        seats = tuple(seat for seat in range(table.persons) if self._holds(request, live, seat))
        return Hands(seats, self._holds(request, live, HOST), self._holds(request, live, WATCH))

    def _holds(self, request: Request, live: Live, role: int) -> bool:
        token = request.cookies.get(cookie_name(role))
        if token is None:
            kind, _, given = request.headers.get("authorization", "").partition(" ")
            token = given if kind == "Bearer" else None
        return token is not None and self.secrets.holds(live.table, role, token)

    async def live(self, request: Request) -> Live:
        """Return the table that an address names."""
        id = request.path_params["table"]
        if not (id.isascii() and id.isalnum() and len(id) <= 32):
            raise NoPageError(say("no-table"))
        return await self.hub.get(id)

    async def seat_view(self, request: Request) -> tuple[Live, Seen]:
        """Return the match as seen by the seat in an address, if the device holds this seat."""
        live = await self.live(request)
        table = live.table
        seat: int = request.path_params.get("seat", WATCH)
        if seat >= table.persons:
            raise NoPageError(say("no-page"), back=f"/t/{table.id}")
        if seat >= 0:
            if not self._holds(request, live, seat):
                raise NoPageError(say("no-seat"), 403, f"/t/{table.id}")
        elif not self._may_watch(request, live):
            raise NoPageError(say("no-watch"), 403, f"/t/{table.id}")
        await self.hub.course_ready(live)
        base = f"/t/{table.id}/s/{seat}" if seat >= 0 else f"/t/{table.id}/w"
        hot = request.query_params.get("hot") == "1"
        name = table.created.game
        found, style = await self.looks.of(name), await self.looks.style(name)
        token = self.secrets.form(table, seat)
        reminds = table.may_nudge(live.game, now_in_ms())
        return live, Seen(table, live.game, seat, token, base, hot, found.looks, style, reminds)

    def _may_watch(self, request: Request, live: Live) -> bool:
        if self._holds(request, live, HOST):
            return True
        may = live.table.created.terms.watching != "none"
        return may and self._holds(request, live, WATCH)

    async def form(
        self, request: Request, live: Live | None = None, role: int = 0
    ) -> dict[str, str]:
        """Return the fields of a form that was sent; a form of a seat needs the token of its page."""
        found = {
            key: value for key, value in (await request.form()).items() if isinstance(value, str)
        }
        if live is None or request.headers.get("authorization"):
            return found
        if not self.secrets.is_form(live.table, role, found.get("form", "")):
            raise NoPageError(say("no-form"), 403, f"/t/{live.table.id}")
        return found

    def address(self, request: Request, path: str) -> str:
        """Return a complete address, for links that are sent to others."""
        return f"{self.public or str(request.base_url)}".rstrip("/") + path

    def give(self, response: Response, request: Request, live: Live, *roles: int) -> None:
        """Give the device the secrets of these roles: seats, host, or watcher."""
        is_https = request.url.scheme == "https" or self.public.startswith("https:")

        def set_cookie(name: str, value: str, path: str) -> None:
            response.set_cookie(
                name, value, YEAR, path=path, secure=is_https, httponly=True, samesite="lax"
            )

        for role in roles:
            set_cookie(
                cookie_name(role), self.secrets.link(live.table, role), f"/t/{live.table.id}"
            )
        mine = mine_of(request)
        seats = mine.pop(live.table.id, set()) | {role for role in roles if role >= 0}
        mine[live.table.id] = seats
        text = "_".join(
            f"{id}-{'-'.join(map(str, sorted(found)))}"
            for id, found in [*mine.items()][-_MOST_MINE:]
        )
        set_cookie("mine", text, "/")


def cookie_name(role: int) -> str:
    """Return the name of the cookie that holds the secret of a role."""
    return {HOST: "host", WATCH: "watch"}.get(role, f"seat{role}")


def mine_of(request: Request) -> dict[str, set[int]]:
    """Return the tables of a device with its seats; this list is only for display and proves nothing."""
    found: dict[str, set[int]] = {}
    for part in request.cookies.get("mine", "").split("_")[:_MOST_MINE]:
        id, *seats = part.split("-")
        if id.isascii() and id.isalnum() and len(id) <= 32:
            found[id] = {
                int(seat) for seat in seats if seat.isascii() and seat.isdecimal() and len(seat) < 3
            }
    return found


def wants_data(request: Request) -> bool:
    """Return whether a script sent the request; the script shows the answer itself."""
    return "application/json" in request.headers.get("accept", "")


def page_response(html: Html, status: int = 200) -> Response:
    """Return a page as a response."""
    return HTMLResponse(html, status)


def failure_response(
    request: Request, files: Files, message: str, status: int, back: str = "/"
) -> Response:
    """Return the answer to a failed request: for a script the words of the failure, otherwise a page."""
    if wants_data(request):
        return JSONResponse({"error": message}, status)
    return page_response(error_page(files, message, back), status)


def success_response(request: Request, back: str) -> Response:
    """Return the answer to an action: for a script an empty success, otherwise a redirect to the page."""
    if wants_data(request):
        return JSONResponse({})
    return RedirectResponse(back, 303)


def handle_failures(site: Callable[[], Site], handler: Handler) -> Handler:
    """Wrap a handler so that its failures become pages."""

    @wraps(handler)
    async def run(request: Request) -> Response:
        try:
            return await handler(request)
        except asyncio.CancelledError:  # the server is stopping and no longer waits
            return failure_response(request, site().files, say("stopping"), 503)
        except Exception as failure:
            return failure_response(request, site().files, *_explain_failure(request, failure))

    return run


def _explain_failure(request: Request, failure: Exception) -> tuple[str, int, str]:
    """Return the words for a failure, the HTTP status, and a link to continue."""
    table = request.path_params.get("table")
    back = "/" if table is None else f"/t/{table}"
    match failure:
        case NoPageError():
            return str(failure), failure.status, failure.back
        case RefusedError():
            status = 409 if failure.word in ("stale", "not-yours", "seat-taken") else 400
            return str(failure), status, _page_of(request) or back
        case NoSuchTableError():
            return say("no-table"), 404, "/"
        case StorageError() | TakenError():
            LOG.error("storage: %s", failure)
            return say("storage"), 503, back
        case DamagedRowError() | DamagedEventError():
            LOG.error("damaged: %s", failure)
            return say("damaged"), 500, "/"
        case NoRulesError():
            return say("broken-game", message=failure), 500, "/"
        case RequestError():
            return say("broken-game", message=failure), 400, back
        case RuleFault():
            return say("stopped", message=failure.message), 500, back
        case StoppingError():
            return say("stopping"), 503, _page_of(request) or back
        case TooLargeError():
            return say("too-large"), 413, back
        case ClientDisconnect():  # nobody reads the answer
            return say("no-form"), 400, back
        case _:
            LOG.exception(
                "a request for %s failed",
                request.scope["route"].path if "route" in request.scope else "",
            )
            return say("fault"), 500, back


def _page_of(request: Request) -> str:
    """Return the address of the page of the seat that acts, or "" if no seat acts."""
    table, seat = request.path_params.get("table"), request.path_params.get("seat")
    return "" if table is None or seat is None else f"/t/{table}/s/{seat}"
