"""Notices for people whose turn it is to choose: by email, push or webhook; each off until the host
configures it.

A process claims a notice in the database before it sends the notice. So only one process sends it, and only
once for each decision.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

import attrs

from rulewright.web.serving.hub import Live
from rulewright.web.serving.secrets import Secrets
from rulewright.web.serving.sending import Mail, NotSentError, knock, send_json, send_mail
from rulewright.web.serving.vapid import new_key
from rulewright.web.storage.store import Contact, StorageError, Store
from rulewright.web.words import say

LOG = logging.getLogger("rulewright.web")
MOST = 5
"""The maximum number of addresses of a seat."""


@attrs.frozen
class Settings:
    """The ways to send notices, as the host has set them."""

    smtp: str = attrs.field(default="", repr=False)
    """The mail server, with its name and password."""
    sender: str = ""
    webhooks: bool = False
    push: str = ""
    """The contact of the host for push services, such as `mailto:host@example.org`; "" switches push off."""
    private: bool = False
    """Whether notices may go to addresses in private networks."""
    after: float = 60.0
    """How many seconds a decision must be open before a notice is sent."""

    @property
    def any(self) -> bool:
        """Whether there are notices at all."""
        return bool(self.smtp or self.webhooks or self.push)


@attrs.define(eq=False)
class Notices:
    """Sends the notices of one process."""

    store: Store
    secrets: Secrets
    settings: Settings
    public: str
    pauses: tuple[float, ...] = (0.0, 30.0, 300.0)
    """The delay before each attempt, in seconds."""
    _key: str = attrs.field(default="", repr=False)
    _tasks: set[asyncio.Task[None]] = attrs.field(factory=set)

    def key(self) -> str:
        """Return the private key by which push services recognise us; call this method in a thread."""
        if not self._key:
            self._key = self.store.setting("push-key", new_key)
        return self._key

    async def turn(self, live: Live, seat: int) -> None:
        """Notify a seat that it must decide or, after a reminder, that it was reminded. Each notice is sent
        only once.
        """
        table = live.table
        number = table.decision if table.nudge is None else table.nudge_number
        for contact in await asyncio.to_thread(self.store.contacts, table.id, (seat, -1)):
            if await asyncio.wrap_future(self.store.claim(contact, number)):
                data = self._message(live, seat)
                self.start(contact, partial(self._send, contact, data))

    def confirm(self, contact: Contact, title: str) -> None:
        """Send a mail that asks whether an address belongs to the player."""
        link = self.link(contact)
        text = say("mail-confirm", title=title, link=link)
        mail = Mail(contact.address, say("mail-confirm-subject", title=title), text)
        settings = self.settings
        self.start(contact, partial(send_mail, settings.smtp, settings.sender, mail))

    def link(self, contact: Contact) -> str:
        """Return the address of the page that confirms an address or stops its notices."""
        token = self.secrets.address(contact.table_id, contact.seat, contact.address)
        return f"{self.public}/t/{contact.table_id}/notices/{token}"

    def start(self, contact: Contact, send: Callable[[], None]) -> None:
        """Send a notice in the background; try again after failures, unless the address no longer exists."""

        async def send_with_retries() -> None:
            for pause in self.pauses:
                await asyncio.sleep(pause)
                try:
                    await asyncio.to_thread(send)
                except NotSentError as failure:
                    LOG.warning("a notice of table %s: %s", contact.table_id, failure)
                    if failure.is_final:
                        await asyncio.wrap_future(self.store.drop_contact(contact))
                        return
                else:
                    return

        async def send_or_log() -> None:
            try:
                await send_with_retries()
            except StorageError as failure:
                LOG.warning("a notice: %s", failure)

        task = asyncio.get_running_loop().create_task(send_or_log())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _message(self, live: Live, seat: int) -> dict[str, object]:
        table = live.table
        return {
            "event": "turn" if table.nudge is None else "reminder",
            "table": table.id,
            "title": table.created.title,
            "seat": seat,
            "name": table.name_of(seat, live.game),
            "decision": table.course(live.game).decision(seat),
            "url": f"{self.public}/t/{table.id}/s/{seat}",
        }

    def _send(self, contact: Contact, message: dict[str, object]) -> None:
        settings = self.settings
        match contact.kind:
            case "mail" if settings.smtp:
                word = "mail-turn" if message["event"] == "turn" else "mail-reminder"
                text = say(word, **message) + say("mail-stop", link=self.link(contact))
                mail = Mail(contact.address, say("mail-subject", **message), text)
                send_mail(settings.smtp, settings.sender, mail)
            case "webhook" if settings.webhooks:
                send_json(contact.address, message, private=settings.private)
            case "push" if settings.push:
                knock(contact.address, self.key(), settings.push, private=settings.private)
            case _:  # switched off in the meantime
                return

    async def close(self) -> None:
        """End running tasks."""
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
