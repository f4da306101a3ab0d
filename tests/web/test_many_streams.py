"""Pages that only listen, and people whose connections are slow: neither holds up a match."""

from __future__ import annotations

import asyncio
import re
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx2 as httpx
import pytest

from rulewright.web.pages.match import Parts, parts_of
from rulewright.web.pages.seen import Seen
from rulewright.web.serving.streams import Rendered, Streams
from rulewright.web.tables.events import Event
from rulewright.web.tables.table import Table
from tests.waiting import PATIENCE, until
from tests.web.tables import Process, fields_of, live_of, new_table, server, site_of

IDLE = (1_000, pytest.param(3_000, marks=pytest.mark.deep))
_KILOBYTES = 60
"""The memory of the server for an idle stream at most; about 35 are measured."""
_FEW_FILES = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
from rulewright.cli.entry import main
main()
"""


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    data = tmp_path_factory.mktemp("served") / "data"
    data.mkdir()
    with Process(data, "connect_four", run=_FEW_FILES, more=("--rate", "100000")) as found:
        yield found
        found.stop()


@pytest.fixture
def many_files() -> Iterator[None]:
    """Allow this process as many connections as the machine permits."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.slow
def test_a_slow_page_leaves_out_what_was_in_between(tmp_path: Path) -> None:
    with server(tmp_path / "data", "connect_four") as client:
        live = live_of(client, new_table(client, "connect_four", "me", "me"))
        site = site_of(client)
        seen = Seen(live.table, live.game, 0, "word", f"/t/{live.table.id}/s/0")

        def first_option(table: Table, game: object) -> list[Event]:
            state = table.course(live.game).state
            names = state.decision.names
            return [
                *table.choose(
                    live.game,
                    state.player,
                    table.course(live.game).decision(state.player),
                    names[0],
                )
            ]

        async def heard() -> list[str]:
            streams: Streams = site.streams
            page = streams.follow(live, "slow", -1, lambda: parts_of(seen))
            found = [await anext(page)]
            for _ in range(5):
                await site.hub.run(live.table.id, first_option)
            found.append(await anext(page))
            await page.aclose()  # type: ignore[attr-defined]
            return found

        assert client.portal is not None
        all_of_it, later = client.portal.call(heard)
        assert f"id: {Rendered(0, parts_of(seen)).number}\n" in later, (
            "the second event is the last position"
        )
        assert len(later) < len(all_of_it)
        assert site.streams.count == 0


def test_requests_are_read_between_two_pages(tmp_path: Path) -> None:
    with server(tmp_path / "data", "connect_four") as client:
        live = live_of(client, new_table(client, "connect_four", "me", "me"))
        streams: Streams = site_of(client).streams
        rounds, drawn = 0, list[int]()

        def page(seat: int) -> Parts:
            drawn.append(rounds)
            seen = Seen(live.table, live.game, seat, "word", f"/t/{live.table.id}/s/{seat}")
            return parts_of(seen)

        async def draws() -> None:
            nonlocal rounds
            pages = [
                streams.follow(live, f"key {number}", -1, partial(page, number % 2))
                for number in range(6)
            ]
            for each in pages:
                await anext(each)
            drawn.clear()
            await site_of(client).hub.run(
                live.table.id, lambda table, game: table.say(0, "", "hello")
            )
            hearing = [asyncio.ensure_future(anext(each)) for each in pages]
            while not all(each.done() for each in hearing):
                rounds += 1
                await asyncio.sleep(0)
            for each in pages:
                await each.aclose()  # type: ignore[attr-defined]

        assert client.portal is not None
        client.portal.call(draws)
        assert len(drawn) == len({*drawn}) == 6


@pytest.mark.slow
@pytest.mark.usefixtures("many_files")
@pytest.mark.parametrize("count", IDLE)
def test_thousands_of_idle_streams_hear_of_a_choice(process: Process, count: int) -> None:
    with httpx.Client(base_url=process.address, timeout=PATIENCE) as client:
        table = new_table(client, "connect_four", "me", "me")
        request = _request(client, f"/t/{table}/s/1", "events?number={number}")
        fields = {**fields_of(client, f"/t/{table}/s/0"), "option": "3"}

        before = _memory(process)

        async def idle() -> int:
            pages = [await _open_stream(process, request) for _ in range(count)]
            try:
                waiting = [asyncio.ensure_future(_hears(reader)) for reader, _ in pages]
                streams = await asyncio.to_thread(lambda: client.get("/health").json()["streams"])
                assert _memory(process) - before < count * _KILOBYTES
                await asyncio.to_thread(client.post, f"/t/{table}/s/0/choose", data=fields)
                await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE)
                return int(streams)
            finally:
                for _, writer in pages:
                    writer.close()
                await asyncio.gather(*(writer.wait_closed() for _, writer in pages))

        assert asyncio.run(idle()) == count
        until(lambda: client.get("/health").json()["streams"] == 0)


@pytest.mark.slow
def test_slow_connections_hold_up_nobody(process: Process) -> None:
    with httpx.Client(base_url=process.address, timeout=PATIENCE) as client, ExitStack() as open_:
        table = new_table(client, "connect_four", "me", "me")
        listens = _request(client, f"/t/{table}/s/1", "events?number=0")
        sends = f"POST /t/{table}/s/0/choose HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nform="
        for said in [listens[: len(listens) // 2], sends.encode(), listens] * 30:
            slow = open_.enter_context(socket.create_connection(_where(process)))
            slow.sendall(said)  # and nothing more; the client reads nothing
        for choice in range(6):
            seat = choice % 2
            fields = {**fields_of(client, f"/t/{table}/s/{seat}"), "option": "0"}
            answer = client.post(
                f"/t/{table}/s/{seat}/choose", data=fields, headers={"accept": "application/json"}
            )
            assert answer.status_code == 200, answer.text


def _request(client: httpx.Client, seat: str, rest: str) -> bytes:
    """A request for the stream of a seat."""
    page = client.get(seat).text
    number = re.search(r'data-number="(\d+)"', page)
    assert number is not None
    cookies = "; ".join(
        f"{one.name}={one.value}" for one in client.cookies.jar if seat.startswith(one.path)
    )
    path = f"{seat}/{rest.format(number=number[1])}"
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookies}\r\n\r\n".encode()


def _memory(process: Process) -> int:
    """The memory of a server, in kilobytes."""
    status = Path(f"/proc/{process.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s*(\d+)", status)
    assert found is not None
    return int(found[1])


def _where(process: Process) -> tuple[str, int]:
    """Host and port of a server."""
    host, _, port = process.address.removeprefix("http://").partition(":")
    return host, int(port)


async def _open_stream(
    process: Process, request: bytes
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(*_where(process))
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 200 " in head.partition(b"\r\n")[0]
    await reader.readuntil(b"retry: ")
    return reader, writer


async def _hears(reader: asyncio.StreamReader) -> None:
    while b"event: sections" not in await reader.readline():
        pass
