"""Passes each connection to the process that is the home of its table.

Every process may serve every table, but several that serve one table each follow its match and draw its pictures.
So each table has a home among the processes of a server. A connection that asks for the table elsewhere goes there,
with the request. If the home does not accept it, the request is answered where it came in.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import attrs
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

_TABLE = re.compile(rb"[A-Z]+ /(?:api/)?t/(\w+)")
_LONGEST = 64_000
"""A longer beginning of a request is not passed on."""
_TRIES = 20
_PAUSE = 0.02
"""Seconds between two tries to pass on a connection."""
CAN_PASS = sys.platform == "linux"
"""Only on Linux local sockets send whole messages over a connection that ends with its process."""


@attrs.frozen
class Home:
    """The place of a process among those of a server; they meet in a folder."""

    place: int = 0
    places: int = 1
    folder: Path | None = None

    def is_of(self, table: str) -> bool:
        """Whether a table belongs here."""
        return self.of(table.encode()) == self.place

    def of(self, table: bytes) -> int:
        """The place of the home of a table."""
        return crc32(table) % self.places

    def socket(self, place: int) -> str:
        """The address at which a process receives connections."""
        return str(self.folder and self.folder / str(place))


@attrs.define(eq=False)
class Passing:
    """The connections between a process and the others of a server."""

    home: Home
    _out: dict[int, socket.socket] = attrs.field(factory=dict)
    _heard: set[socket.socket] = attrs.field(factory=set)
    _tasks: set[asyncio.Task[Any]] = attrs.field(factory=set)

    def receive(self, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        """Accept connections from now on; a protocol is made for each, with the bytes that were read."""
        if self.home.folder is None:
            return
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        own = self.home.socket(self.home.place)
        self.home.folder.mkdir(
            mode=0o700, exist_ok=True
        )  # it may have been removed with the last socket in it
        Path(own).unlink(missing_ok=True)  # the socket belonged to a process that has ended
        listening.bind(own)
        listening.listen()
        self._read(listening, lambda: self._accept(listening, protocol))

    def _accept(
        self, listening: socket.socket, protocol: Callable[[bytes], asyncio.Protocol]
    ) -> None:
        with suppress(BlockingIOError):
            found, _ = listening.accept()
            self._read(found, lambda: self._take(found, protocol))

    def _read(self, one: socket.socket, read: Callable[[], None]) -> None:
        one.setblocking(False)
        self._heard.add(one)
        asyncio.get_running_loop().add_reader(one, read)

    def _take(self, found: socket.socket, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        loop = asyncio.get_running_loop()
        with suppress(BlockingIOError):
            data, passed, _, _ = socket.recv_fds(found, _LONGEST, 1)
            if not data:  # the other process has ended
                self._close(found)
            for number in passed:
                connection = socket.socket(fileno=number)
                connection.setblocking(False)
                making = loop.connect_accepted_socket(lambda: protocol(data), connection)
                task = loop.create_task(making)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _close(self, one: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(one)
        self._heard.discard(one)
        one.close()

    def home_of(self, data: bytes) -> int:
        """The place of the process to which a connection with this request should go."""
        can_pass = self.home.folder is not None and len(data) <= _LONGEST
        asked = _TABLE.match(data) if can_pass else None
        return self.home.place if asked is None else self.home.of(asked[1])

    async def send(self, place: int, data: bytes, connection: int) -> bool:
        """Pass a connection to another process; False if that process does not accept it."""
        for _ in range(_TRIES):
            try:
                socket.send_fds(self._to(place), [data], [connection])
            except BlockingIOError:  # many connections come at once
                await asyncio.sleep(_PAUSE)
            except OSError:  # it has ended; perhaps it has been started again
                self._out.pop(place).close()
            else:
                return True
        return False

    def _to(self, place: int) -> socket.socket:
        if place not in self._out:
            found = self._out[place] = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            found.setblocking(False)
            found.connect(self.home.socket(place))
        return self._out[place]

    def close(self) -> None:
        """Accept no more connections."""
        for one in [*self._heard]:
            self._close(one)
        for out in self._out.values():
            out.close()
        self._out.clear()


def protocol(passing: Passing) -> type[HttpToolsProtocol]:
    """The protocol of connections that go to the home of a table before a request for it."""

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
            connection = self.transport.get_extra_info("socket").fileno()
            if await passing.send(place, data, connection):
                self.transport.abort()  # it continues in the other process
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
