"""Tables in PostgreSQL: a real server, used by two server processes at once."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import httpx2 as httpx
import pytest
from sqlalchemy.exc import DBAPIError

from rulewright.web.serving.admin import admin
from rulewright.web.storage.store import Contact, Listed, Store, TakenError
from rulewright.web.tables.events import Chose, from_text
from tests.postgres import postgres
from tests.waiting import PATIENCE, until
from tests.web.tables import Process, fields_of, new_table

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    # another run of pytest closes the folder of all runs to the user of the server
    with TemporaryDirectory(prefix="postgres-") as folder, postgres(Path(folder) / "data") as found:
        yield found


def test_two_stores_settle_by_the_number(address: str) -> None:
    """Many tables at once, in different orders, so that transactions block each other."""
    one, other = Store(address), Store(address)
    tables = [f"t{number}" for number in range(12)]
    for table in tables:
        one.create(Listed(table, "T", 1, 1, False), ["first"]).result()
    stored = 0
    for number in range(2, 12):
        results = []
        for store in (one, other):
            order = Random(number if store is one else -number).sample(tables, len(tables))
            results += [store.append(table, number, 1, [store.address]) for table in order]
        failures = [result.exception() for result in results]
        assert all(one is None or isinstance(one, TakenError) for one in failures)
        stored += failures.count(None)
    assert stored == 10 * len(tables)
    for table in tables:
        assert [row.number for row in other.read(table)] == list(range(1, 12))
    with pytest.raises(DBAPIError, match="events are never changed"), one._engine.begin() as base:
        base.exec_driver_sql("UPDATE event SET data = 'x'")
    contact = Contact("t0", 0, "mail", "a@b.example")
    one.keep_contact(contact).result()
    assert [store.claim(contact, 3).result() for store in (one, other)] == [True, False]
    one.forget("t0", lambda text: text.upper()).result()
    assert other.read("t0")[0].data == "FIRST" and other.contacts("t0", (0,)) == []
    for table in tables:
        one.delete(table).result()
    assert other.list_tables() == []
    one.close()
    other.close()


def _is_gone(client: httpx.Client, table: str) -> bool:
    return client.get(f"/t/{table}").status_code == 404


def test_two_processes_serve_one_table(tmp_path: Path, address: str) -> None:
    more = ("--rate", "100000", "--database", address)
    folders = [tmp_path / name / "data" for name in ("one", "other")]
    for folder in folders:
        folder.mkdir(parents=True)
    with ExitStack() as opened:
        processes = [
            opened.enter_context(Process(folder, "connect_four", more=more)) for folder in folders
        ]
        clients = [
            opened.enter_context(httpx.Client(base_url=one.address, timeout=PATIENCE))
            for one in processes
        ]
        table = new_table(clients[0], "connect_four", "me", "me")
        for cookie in clients[0].cookies.jar:
            clients[1].cookies.set(cookie.name, cookie.value or "", path=cookie.path)
        seat = f"/t/{table}/s/1"
        number = re.search(r'data-number="(\d+)"', clients[1].get(seat).text)
        assert number is not None
        heard: list[str] = []

        def listen() -> None:
            with clients[1].stream("GET", f"{seat}/events?number={number[1]}") as answer:
                heard.extend(line for line in answer.iter_lines() if line.startswith("data:"))

        listener = threading.Thread(target=listen)
        listener.start()
        fields = {**fields_of(clients[0], f"/t/{table}/s/0"), "option": "3"}
        said = {"accept": "application/json"}
        for client in clients:
            answer = client.post(f"/t/{table}/s/0/choose", data=fields, headers=said)
            assert answer.status_code == 200, "the same choice, sent to both"
            assert "drop a disc into column 4" in client.get(seat).text
        store = Store(address)
        chosen = [one for row in store.read(table) if isinstance(one := from_text(row.data), Chose)]
        store.close()
        assert len(chosen) == 1
        assert [*admin(address, ["delete", table])] == [f"table {table} is deleted"]
        listener.join(PATIENCE)  # the stream of a deleted table ends
        assert "drop a disc into column 4" in heard[0] and "reload" in heard[-1]
        for client in clients:
            until(partial(_is_gone, client, table))
        for process in processes:
            process.stop()
