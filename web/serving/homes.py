"""Pass each connection to the process that is the home of its table.

Every process may serve every table, but then each process that serves a table follows its match and draws
its pictures. So each table has a home among the processes of a server. If a connection asks another process
for the table, this process passes the connection to the home, together with the request. If the home is
just being started, the connection waits for it.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import attrs
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

_TABLE = re.compile(rb"[A-Z]+ /(?:api/)?t/(\w+)")
_LONGEST = 64_000
"""The maximum length of the beginning of a request that is passed on."""
CAN_PASS = sys.platform == "linux"
"""Only Linux is certain to send whole messages in order, together with connections, through a pair of
sockets.
"""


@attrs.frozen
class Way:
    """A pair of sockets that leads to a process. It stays open when the process ends and is started again."""

    into: socket.socket
    out: socket.socket

    @classmethod
    def open(cls) -> Way:
        """Open a new pair of sockets."""
        pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for one in pair:
            one.setblocking(False)
        return cls(*pair)


@attrs.frozen
class Home:
    """The place of a process among those of a server."""

    place: int = 0
    places: int = 1
    ways: Sequence[Way] = ()
    """The ways to all places; without any, connections stay where they come in."""

    def is_of(self, table: str) -> bool:
        """Return whether this process is the home of a table."""
        return self.of(table.encode()) == self.place

    def of(self, table: bytes) -> int:
        """Return the place of the home of a table."""
        return crc32(table) % self.places


@attrs.define(eq=False)
class Passing:
    """The connections between a process and the other processes of a server."""

    home: Home
    _turns: dict[int, asyncio.Lock] = attrs.field(factory=lambda: defaultdict(asyncio.Lock))
    _tasks: set[asyncio.Task[Any]] = attrs.field(factory=set)

    def receive(self, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        """Start to accept connections; for each, `protocol` is called with the bytes that were already read."""
        if self.home.ways:
            out = self.home.ways[self.home.place].out
            asyncio.get_running_loop().add_reader(out, self._take, out, protocol)

    def _take(self, out: socket.socket, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        loop = asyncio.get_running_loop()
        data, passed, _, _ = socket.recv_fds(out, _LONGEST, 1)
        for number in passed:
            connection = socket.socket(fileno=number)
            connection.setblocking(False)
            making = loop.connect_accepted_socket(lambda: protocol(data), connection)
            task = loop.create_task(making)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def home_of(self, data: bytes) -> int:
        """Return the place of the process to which a connection with this request should go."""
        can_pass = self.home.ways and len(data) <= _LONGEST
        asked = _TABLE.match(data) if can_pass else None
        return self.home.place if asked is None else self.home.of(asked[1])

    async def send(self, place: int, data: bytes, connection: int) -> bool:
        """Pass a connection to another process; return False if the system reports an error."""
        into = self.home.ways[place].into
        async with self._turns[place]:
            while True:
                try:
                    socket.send_fds(into, [data], [connection])
                except BlockingIOError:  # many connections come at once
                    await _writable(into)
                except OSError:
                    return False
                else:
                    return True

    def close(self) -> None:
        """Accept no more connections."""
        if self.home.ways:
            asyncio.get_running_loop().remove_reader(self.home.ways[self.home.place].out)


async def _writable(one: socket.socket) -> None:
    """Wait until a socket can be written to."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_writer(one, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_writer(one)


def protocol(passing: Passing) -> type[HttpToolsProtocol]:
    """Return a protocol that passes a connection to the home of a table before a request for this table."""

    class AtHome(HttpToolsProtocol):
        def __init__(self, *given: Any, first: bytes = b"", **named: Any) -> None:
            super().__init__(*given, **named)
            self._first = first
            self._is_between = True  # no part of a request has been read yet

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
            super().connection_made(transport)
            if self._first:
                self.data_received(self._first)

        def data_received(self, data: bytes) -> None:
            cycle: RequestResponseCycle | None = self.cycle
            is_idle = self._is_between and (cycle is None or cycle.response_complete)
            place = passing.home_of(data) if is_idle else passing.home.place
            if place == passing.home.place or self.transport.get_write_buffer_size():
                super().data_received(data)
                return
            self.transport.pause_reading()
            task = self.loop.create_task(self._pass(place, data))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

        async def _pass(self, place: int, data: bytes) -> None:
            # A copy stays open even if the transport is closed while it waits.
            connection = os.dup(self.transport.get_extra_info("socket").fileno())
            try:
                is_passed = await passing.send(place, data, connection)
            finally:
                os.close(connection)
            if is_passed:
                self.transport.abort()  # the connection continues in the other process
            elif not self.transport.is_closing():
                self.transport.resume_reading()
                super().data_received(data)

        def on_message_begin(self) -> None:
            self._is_between = False
            super().on_message_begin()

        def on_message_complete(self) -> None:
            super().on_message_complete()
            self._is_between = True

    return AtHome
