"""Connections go to the process that is the home of the requested table; here each process is a thread."""

from __future__ import annotations

import asyncio
import errno
import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from rulewright.web.serving.homes import CAN_PASS, Home, Passing, Way, protocol
from rulewright.web.serving.run import _Server, listening

pytestmark = pytest.mark.skipif(not CAN_PASS, reason="connections are passed on Linux only")


class Place:
    """A server process, which answers each request with its place, the path and the body."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.sockets = listening("127.0.0.1", 0)
        self.port: int = self.sockets[0].getsockname()[1]
        passing = Passing(home)
        config = uvicorn.Config(
            self._answer, http=protocol(passing), log_config=None, lifespan="off", interface="asgi3"
        )
        self.server = _Server(config, self._answer, passing)
        serving = self.server.serve(self.sockets)
        self.thread = threading.Thread(target=lambda: asyncio.run(serving))
        self.thread.start()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        if scope["query_string"] != b"early":
            message = await receive()
            body = message["body"]
            while message["more_body"]:
                message = await receive()
                body += message["body"]
        text = f"{self.home.place} {scope['path']} ".encode() + body
        length = (b"content-length", b"%d" % len(text))
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": text})

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()
        for one in self.sockets:
            one.close()


@contextmanager
def two() -> Iterator[list[Place]]:
    """Two places of one server, which listen to different ports."""
    ways = [Way.open() for _ in range(2)]
    places = [Place(Home(place, 2, ways)) for place in range(2)]
    try:
        yield places
    finally:
        for place in places:
            place.stop()
        for way in ways:
            way.into.close()
            way.out.close()


def table_of(place: int) -> str:
    """A table whose home is a place."""
    return next(id for id in map(str, range(100)) if Home(place, 2).is_of(id))


def request(client: http.client.HTTPConnection, path: str, body: str | None = None) -> str:
    """The answer to a request."""
    client.request("POST" if body else "GET", path, body)
    return client.getresponse().read().decode()


def _read_answer(client: socket.socket) -> bytes:
    """An answer, with its head."""
    found = b""
    while not found.partition(b"\r\n\r\n")[2]:
        found += client.recv(9_999)
    return found


def test_a_connection_follows_the_table_of_each_request() -> None:
    with two() as places:
        client = http.client.HTTPConnection("127.0.0.1", places[0].port)
        client.connect()
        own = client.sock.getsockname()
        for place, path, body in [
            (0, "/", None),
            (1, f"/t/{table_of(1)}/s/0", None),
            (1, "/health", None),
            (0, f"/t/{table_of(0)}", None),
            (1, f"/api/t/{table_of(1)}", "x" * 20_000),
            (0, f"/t/{table_of(0)}/s/1/choose", "a=b"),
        ]:
            assert request(client, path, body) == f"{place} {path} {body or ''}"
        assert client.sock.getsockname() == own, "it is still the same connection"
        client.close()


def test_many_connections_at_once_all_go_home() -> None:
    with two() as places:
        clients = [http.client.HTTPConnection("127.0.0.1", places[0].port) for _ in range(300)]
        path = f"/t/{table_of(1)}"
        for client in clients:
            client.request("GET", path, headers={"cookie": "a" * 3_000})
        assert {client.getresponse().read() for client in clients} == {f"1 {path} ".encode()}
        for client in clients:
            client.close()


def test_the_body_of_a_request_is_never_taken_for_a_request() -> None:
    """A request is answered before its body arrives, and the body looks like a request for a table with another
    home."""
    with two() as places, socket.create_connection(("127.0.0.1", places[0].port)) as client:
        body = f"GET /t/{table_of(1)} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        head = f"POST /early?early HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall(head.encode())
        assert _read_answer(client).endswith(b"0 /early ")
        client.sendall(body)
        time.sleep(0.1)  # it comes alone
        client.sendall(b"GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        assert _read_answer(client).endswith(b"0 /next ")


def test_requests_wait_for_a_home_that_has_ended() -> None:
    """More of them wait than the way to it can hold."""
    with two() as places:
        path = f"/t/{table_of(1)}"
        clients = [http.client.HTTPConnection("127.0.0.1", places[0].port) for _ in range(300)]
        assert request(clients[0], path) == f"1 {path} "
        clients[0].close()
        places[1].stop()
        for client in clients:
            client.request("GET", path, headers={"cookie": "a" * 3_000})
        other = http.client.HTTPConnection("127.0.0.1", places[0].port)
        assert request(other, "/") == "0 / "
        other.close()
        places[1] = Place(places[1].home)
        assert {client.getresponse().read() for client in clients} == {f"1 {path} ".encode()}
        for client in clients:
            client.close()


def test_a_request_is_answered_here_if_the_system_passes_no_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def send_fds(*_: object) -> None:
        raise OSError(errno.ETOOMANYREFS, "too many connections are on their way")

    with two() as places:
        client = http.client.HTTPConnection("127.0.0.1", places[0].port)
        monkeypatch.setattr(socket, "send_fds", send_fds)
        path = f"/t/{table_of(1)}"
        assert request(client, path) == f"0 {path} "
        client.close()
