"""Two server processes on one database: each serves every table, and learns of the changes that the other stores."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2 as httpx
import pytest

from rulewright.web.serving import hub as hubs
from rulewright.web.serving import others
from rulewright.web.serving.bots import Bots, Position
from rulewright.web.serving.others import hear_notice, notice
from rulewright.web.storage.store import Row, Store
from rulewright.web.tables.events import Chose, from_text, to_text
from tests.waiting import PATIENCE, until
from tests.web.tables import (
    Process,
    fields_of,
    live_of,
    new_table,
    server,
    site_of,
)


@pytest.mark.slow
def test_two_processes_serve_one_table(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    more = ("--rate", "100000")
    with (
        Process(data, "connect_four", more=more) as one,
        Process(data, "connect_four", more=more) as other,
    ):
        clients = [httpx.Client(base_url=each.address, timeout=PATIENCE) for each in (one, other)]
        table = new_table(clients[0], "connect_four", "me", "me")
        for cookie in clients[0].cookies.jar:
            clients[1].cookies.set(cookie.name, cookie.value or "", path=cookie.path)
        heard: list[str] = []
        seat = f"/t/{table}/s/1"
        number = re.search(r'data-number="(\d+)"', clients[1].get(seat).text)
        assert number is not None
        events = f"{seat}/events?number={number[1]}"
        plain: list[str] = []
        listeners = [
            threading.Thread(target=_listen, args=(clients[1], events, heard)),
            threading.Thread(target=_listen, args=(clients[1], events, plain, 1, "identity")),
        ]
        for listener in listeners:
            listener.start()
        fields = {**fields_of(clients[0], f"/t/{table}/s/0"), "option": "3"}
        answers = [
            client.post(
                f"/t/{table}/s/0/choose", data=fields, headers={"accept": "application/json"}
            )
            for client in clients
        ]
        assert [one.status_code for one in answers] == [200, 200], "the same choice, sent to both"
        for listener in listeners:
            listener.join(PATIENCE)
        for found in (heard, plain):
            assert "drop a disc into column 4" in found[-1]
            assert '"player":1' in found[-1]
        for client in clients:
            assert "drop a disc into column 4" in client.get(f"/t/{table}/s/1").text
            client.close()
        for process in (one, other):
            process.stop()
    store = Store(f"sqlite:///{data / 'tables.sqlite'}")
    chosen = [row for row in store.read(table) if isinstance(from_text(row.data), Chose)]
    store.close()
    assert len(chosen) == 1


@pytest.mark.slow
def test_a_stop_ends_open_pages_in_peace(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    heard: list[str] = []
    with (
        Process(data, "pig") as process,
        httpx.Client(base_url=process.address, timeout=PATIENCE) as client,
    ):
        table = new_table(client, "pig", "me", "me")
        listener = threading.Thread(
            target=_listen, args=(client, f"/t/{table}/s/0/events", heard, 10**6)
        )
        listener.start()
        until(lambda: heard)
        process.stop()
        listener.join(PATIENCE)
        assert not listener.is_alive()
    log = (tmp_path / "server.log").read_text()
    assert "Traceback" not in log and "ERROR" not in log, log


@pytest.mark.slow
def test_a_stop_ends_hints_in_peace(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    statuses: list[int] = []
    with (
        Process(data, "pig") as process,
        httpx.Client(base_url=process.address, timeout=PATIENCE) as client,
    ):
        table = new_table(client, "pig", "me", "me")

        def ask() -> None:
            with suppress(httpx.TransportError):  # it came when nobody was listening any more
                statuses.append(client.get(f"/t/{table}/s/0/hint").status_code)

        asking = [threading.Thread(target=ask) for _ in range(8)]
        for one in asking:
            one.start()
        until(lambda: statuses)  # the process of bots is running, and others wait for it
        process.stop()
        for one in asking:
            one.join(PATIENCE)
    assert {*statuses} <= {200, 503}
    log = (tmp_path / "server.log").read_text()
    assert "Traceback" not in log and "Warning" not in log, log


def test_events_that_come_with_a_notice_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    read = Store.read

    def noting_read(store: Store, table: str, after: int = 0) -> list[Row]:
        reads.append(after)
        return read(store, table, after)

    with server(tmp_path, "connect_four") as client:
        id = new_table(client, "connect_four", "me", "me")
        live, hub = live_of(client, id), site_of(client).hub
        other = Store(hub.store.address)
        monkeypatch.setattr(Store, "read", noting_read)

        def choose_elsewhere(seat: int, answers: int) -> Row:
            """A choice that another process has stored."""
            steps = tuple(live.table.course(live.game).state.decision.names[:1])
            text = to_text(Chose(answers, seat, steps))
            other.append(id, answers + 1, 1, [text]).result()
            return Row(answers + 1, 1, text)

        first = live.table.number
        row = choose_elsewhere(0, first)
        assert client.portal is not None
        client.portal.call(hub.hear, id, row.number, [row])
        until(lambda: live.table.number == first + 1)
        assert reads == []
        choose_elsewhere(1, first + 1)  # its notice is lost
        row = choose_elsewhere(0, first + 2)
        client.portal.call(hub.hear, id, row.number, [row])
        until(lambda: live.table.number == first + 3)
        assert reads == [first + 1]


@pytest.mark.parametrize("is_alive", [True, False])
def test_a_bot_thinks_in_the_process_that_moved_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_alive: bool
) -> None:
    """Others take over after a while if nothing comes from that process."""
    monkeypatch.setattr(hubs, "BOT_WAITS", 3600.0 if is_alive else 0.0)
    with server(tmp_path, "connect_four") as client:
        id = new_table(client, "connect_four", "me", "bot:random")
        live, hub = live_of(client, id), site_of(client).hub
        asked: list[Position] = []

        async def first(_: Bots, position: Position, __: str) -> str:
            asked.append(position)
            return live.table.course(live.game).state.decision.names[0]

        monkeypatch.setattr(Bots, "choose", first)
        other = Store(hub.store.address)

        def choose_elsewhere(seat: int, option: str) -> None:
            number = live.table.number + 1
            text = to_text(Chose(live.table.decision, seat, (option,)))
            other.append(id, number, 1, [text]).result()
            assert client.portal is not None
            client.portal.call(hub.hear, id, number, [Row(number, 1, text)])
            until(lambda: live.table.number >= number)

        seat, names = f"/t/{id}/s/0", live.table.course(live.game).state.decision.names
        choose_elsewhere(0, names[0])
        if is_alive:
            choose_elsewhere(1, names[1])
            assert not asked
            client.post(f"{seat}/choose", data={**fields_of(client, seat), "option": "2"})
        until(lambda: asked)
        assert len(asked[0].steps) == (3 if is_alive else 1)
        other.close()


@pytest.mark.parametrize("length", [10, 10_000])
def test_a_notice_brings_its_events_where_they_are_short(length: int) -> None:
    heard: list[object] = []
    rows = [Row(7, 1, "é" * length)]
    said = notice("table", 7, rows)
    assert len(said.encode("ascii")) <= 7_000
    hear_notice(said, lambda *one: heard.append(one))
    hear_notice("table 7", lambda *one: heard.append(one))
    assert heard == [("table", 7, rows if length == 10 else [])]


def _listen(
    client: httpx.Client, events: str, heard: list[str], most: int = 1, packing: str = "gzip"
) -> None:
    """Read a stream until it has sent this much, or ends."""
    with client.stream("GET", events, headers={"accept-encoding": packing}) as answer:
        assert answer.headers.get("content-encoding", "identity") == packing
        for line in answer.iter_lines():
            if line.startswith("data:"):
                heard.append(line)
                if len(heard) == most:
                    return


@pytest.fixture
def near() -> Iterator[Path]:
    """An empty folder with a short path, as paths of sockets must be."""
    with TemporaryDirectory(prefix="near-") as folder:
        yield Path(folder)


def test_a_server_leaves_no_socket_and_removes_those_of_killed_servers(
    tmp_path: Path, near: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(others, "gettempdir", lambda: str(near))
    names = ("killed", "living", "empty")
    killed, living, empty = (near / f"{others.prefix()}{name}" for name in names)
    for folder in (killed, living, empty):
        folder.mkdir()
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ended,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other,
    ):
        ended.bind(str(killed / "1"))
        other.bind(str(living / "1"))
        ended.close()
        with server(tmp_path, "pig"):
            (own,) = set(near.iterdir()) - {living}
            assert len(list(own.iterdir())) == 1
        assert set(near.iterdir()) == {living}


def test_a_server_starts_while_another_removes_its_folder(
    tmp_path: Path, near: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(others, "gettempdir", lambda: str(near))
    folder = near / f"{others.prefix()}ending"
    folder.mkdir()
    iterdir = Path.iterdir

    def remove_first(path: Path) -> Iterable[Path]:
        if path == folder:
            path.rmdir()
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", remove_first)
    with server(tmp_path, "pig"):
        assert not folder.exists()
