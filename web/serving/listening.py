"""Notify other servers of changed tables with PostgreSQL's NOTIFY, so that servers can run on several
machines.

A thread listens. If its connection is lost, notices may be missed, so all tables in memory are then
checked.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from secrets import token_hex

import attrs
import psycopg
from sqlalchemy.engine import make_url

from rulewright.web.serving.others import CHANNEL, Hear, hear_notice, notice
from rulewright.web.storage.store import Row, Store

_BEAT = 1.0


@attrs.define(eq=False)
class Listening:
    """The connection of one process to the other servers of a database."""

    store: Store
    hear: Hear
    missed: Callable[[], None]
    """Called when notices may have been missed."""
    own: str = attrs.field(factory=lambda: token_hex(6))
    _closed: threading.Event = attrs.field(factory=threading.Event)
    _thread: threading.Thread | None = None

    @classmethod
    def open(cls, store: Store, hear: Hear, missed: Callable[[], None]) -> Listening:
        """Start to listen."""
        found = cls(store, hear, missed)
        loop = asyncio.get_running_loop()
        found._thread = threading.Thread(
            target=found._listen, args=(loop,), name="listener", daemon=True
        )
        found._thread.start()
        return found

    def tell(self, table: str, number: int, rows: Sequence[Row]) -> None:
        """Notify all other servers."""
        self.store.notify(CHANNEL, f"{self.own} {notice(table, number, rows)}")

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join(timeout=30)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        is_first = True
        while not self._closed.is_set():
            with suppress(
                psycopg.OperationalError, RuntimeError
            ):  # the connection is lost, or the loop is closed
                self._listen_once(loop, is_first)
            is_first = False
            self._closed.wait(_BEAT)

    def _listen_once(self, loop: asyncio.AbstractEventLoop, is_first: bool) -> None:
        """Listen as long as the connection holds."""
        with psycopg.connect(_plain(self.store.address), autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            if not is_first:
                loop.call_soon_threadsafe(self.missed)
            self._follow(connection, loop)

    def _follow(self, connection: psycopg.Connection, loop: asyncio.AbstractEventLoop) -> None:
        while not self._closed.is_set():
            for heard in connection.notifies(timeout=_BEAT):
                by, _, said = heard.payload.partition(" ")
                if by != self.own:
                    loop.call_soon_threadsafe(hear_notice, said, self.hear)


def _plain(address: str) -> str:
    """Return the address in the form that PostgreSQL's own library expects."""
    return make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
