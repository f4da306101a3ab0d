"""Handlers for the addresses of notices, which a seat stores, confirms by the link in a mail, and deletes."""

from __future__ import annotations

import asyncio
import re

import attrs
from starlette.requests import Request
from starlette.responses import Response

from rulewright.web.pages.notices import Address, Ways, confirm_page, done_page, notices_page
from rulewright.web.serving.hub import Live
from rulewright.web.serving.notices import MOST
from rulewright.web.serving.sending import is_allowed
from rulewright.web.serving.site import NoPageError, Site, page_response, success_response
from rulewright.web.serving.vapid import public_key
from rulewright.web.storage.store import Contact
from rulewright.web.tables.table import RefusedError
from rulewright.web.words import say

_MAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_LONGEST = 600


async def page(site: Site, request: Request) -> Response:
    """Show the available ways and the addresses of a seat."""
    live, seen = await site.seat_view(request)
    settings = site.notices.settings
    push = public_key(await asyncio.to_thread(site.notices.key)) if settings.push else ""
    found = await asyncio.to_thread(site.hub.store.contacts, live.table.id, (seen.seat,))
    addresses = [Address(one.kind, one.address, one.told >= 0) for one in found]
    ways = Ways(bool(settings.smtp), push)
    return page_response(notices_page(site.files, seen, ways, addresses, site.forget_after))


async def change(site: Site, request: Request) -> Response:
    """Store an address, or delete it."""
    live, seen = await site.seat_view(request)
    found = await site.form(request, live, seen.seat)
    kind, table = found.get("kind", ""), live.table
    back = f"{seen.base}/notices"
    if "drop" in found:
        contact = Contact(table.id, seen.seat, kind, found["drop"][:_LONGEST])
        await asyncio.wrap_future(site.hub.store.drop_contact(contact))
        return success_response(request, back)
    settings, address = site.notices.settings, found.get("address", "").strip()
    is_known = (kind == "mail" and settings.smtp) or (kind == "push" and settings.push)
    if not is_known:
        raise RefusedError("not-allowed", say("notice-none"))
    if not _is_address(kind, address, private=settings.private):
        raise RefusedError("not-allowed", say("notice-bad"))
    # Notices begin after the last event, because the page shows the open decision.
    number = -1 if kind == "mail" else table.number
    contact = Contact(table.id, seen.seat, kind, address, told=number)
    others = await asyncio.to_thread(site.hub.store.contacts, table.id, (seen.seat,))
    if len(others) >= MOST:
        raise RefusedError("too-much", say("notice-many"))
    if kind == "mail" and not (site.mailing.may(address.casefold()) and site.mailing.may(table.id)):
        raise NoPageError(say("too-fast"), 429, back)
    await asyncio.wrap_future(site.hub.store.keep_contact(contact))
    if kind == "mail":
        site.notices.confirm(contact, table.created.title)
    return success_response(request, back)


def _is_address(kind: str, address: str, *, private: bool) -> bool:
    if len(address) > _LONGEST:
        return False
    if kind == "mail":
        return len(address) <= 200 and _MAIL.fullmatch(address) is not None
    return is_allowed(address, private=private)


async def set_webhook(site: Site, live: Live, address: str) -> None:
    """Send the turns of a table to an address; an empty address stops these notices."""
    settings, store = site.notices.settings, site.hub.store
    if not settings.webhooks:
        raise RefusedError("not-allowed", say("notice-none"))
    if address and not _is_address("webhook", address, private=settings.private):
        raise RefusedError("not-allowed", say("notice-bad"))
    for old in await webhooks(site, live):
        await asyncio.wrap_future(store.drop_contact(old))
    if address:
        contact = Contact(live.table.id, -1, "webhook", address)
        await asyncio.wrap_future(store.keep_contact(contact))


async def webhooks(site: Site, live: Live) -> list[Contact]:
    """Return the webhooks of a table."""
    return await asyncio.to_thread(site.hub.store.contacts, live.table.id, (-1,))


async def link(site: Site, request: Request) -> Response:
    """Show the page that the link in a mail opens."""
    live, contact = await _find_contact(site, request)
    action = request.url.path
    title = live.table.created.title
    return page_response(
        confirm_page(site.files, title, contact.address, action, is_new=contact.told < 0)
    )


async def use_link(site: Site, request: Request) -> Response:
    """Confirm an address, or stop notices to it."""
    live, contact = await _find_contact(site, request)
    found = await site.form(request)
    if found.get("do") == "stop":
        await asyncio.wrap_future(site.hub.store.drop_contact(contact))
        return page_response(done_page(site.files, say("notice-stopped")))
    if contact.told < 0:
        confirmed = attrs.evolve(contact, told=0)
        await asyncio.wrap_future(site.hub.store.keep_contact(confirmed))
        site.clock.plan(live)
    return page_response(done_page(site.files, say("notice-confirmed")))


async def _find_contact(site: Site, request: Request) -> tuple[Live, Contact]:
    live = await site.live(request)
    table, token = live.table, request.path_params["token"]
    seats = tuple(range(table.persons))
    for one in await asyncio.to_thread(site.hub.store.contacts, table.id, seats):
        if site.secrets.is_address(table.id, one.seat, one.address, token):
            return live, one
    raise NoPageError(say("notice-gone"), 404)
