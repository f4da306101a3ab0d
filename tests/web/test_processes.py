"""Two server processes on one database: each serves every table, and each hears of what the other has stored."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import httpx2 as httpx
import pytest

from rulewright.web.storage.store import Store
from rulewright.web.tables.events import Chose, from_text
from tests.web.tables import Process, fields_of, new_table, until


@pytest.mark.slow
def test_two_processes_serve_one_table(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    more = ("--rate", "100000")
    processes = [Process(data, "connect_four", more=more) for _ in range(2)]
    try:
        clients = [httpx.Client(base_url=one.address, timeout=60) for one in processes]
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
            listener.join(timeout=60)
        for found in (heard, plain):
            assert "drop a disc into column 4" in found[-1]
            assert '"player":1' in found[-1]
        for client in clients:
            assert "drop a disc into column 4" in client.get(f"/t/{table}/s/1").text
            client.close()
    finally:
        for process in processes:
            process.stop()
    store = Store(f"sqlite:///{data / 'tables.sqlite'}")
    chosen = [one for row in store.read(table) if isinstance(one := from_text(row.data), Chose)]
    store.close()
    assert len(chosen) == 1


@pytest.mark.slow
def test_a_stop_ends_open_pages_in_peace(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    process = Process(data, "pig")
    heard: list[str] = []
    with httpx.Client(base_url=process.address, timeout=60) as client:
        table = new_table(client, "pig", "me", "me")
        listener = threading.Thread(
            target=_listen, args=(client, f"/t/{table}/s/0/events", heard, 10**6)
        )
        listener.start()
        until(lambda: heard)
        process.stop()
        listener.join(timeout=60)
        assert not listener.is_alive()
    log = (tmp_path / "server.log").read_text()
    assert "Traceback" not in log and "ERROR" not in log, log


def _listen(
    client: httpx.Client, events: str, heard: list[str], most: int = 1, packing: str = "gzip"
) -> None:
    """Hear a stream until it has told so much, or ends."""
    with client.stream("GET", events, headers={"accept-encoding": packing}) as answer:
        assert answer.headers.get("content-encoding", "identity") == packing
        for line in answer.iter_lines():
            if line.startswith("data:"):
                heard.append(line)
                if len(heard) == most:
                    return
