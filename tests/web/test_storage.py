"""The database: older ones are migrated, names are deleted, running servers hear of a deleted table."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect
from starlette.testclient import TestClient

from rulewright.web.serving.admin import admin
from rulewright.web.serving.clock import Clock
from rulewright.web.storage import schema
from rulewright.web.storage.store import Contact, DamagedRowError, Listed, Store
from rulewright.web.tables.events import BotSat, Terms, from_text
from tests.waiting import PATIENCE, until
from tests.web.tables import fields_of, links_of, live_of, new_table, other, server, site_of

VERSION_1 = """
CREATE TABLE setting (name VARCHAR(64) NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name));
CREATE TABLE game_table (id VARCHAR(32) NOT NULL, title TEXT NOT NULL, created BIGINT NOT NULL, moved BIGINT NOT NULL,
    is_over INTEGER NOT NULL, PRIMARY KEY (id));
CREATE INDEX ix_game_table_moved ON game_table (moved);
CREATE TABLE event (table_id VARCHAR(32) NOT NULL, number INTEGER NOT NULL, at BIGINT NOT NULL, data TEXT NOT NULL,
    check_sum BIGINT NOT NULL, PRIMARY KEY (table_id, number));
CREATE TABLE rules (digest VARCHAR(64) NOT NULL, game TEXT NOT NULL, main TEXT NOT NULL, files TEXT NOT NULL,
    PRIMARY KEY (digest));
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
INSERT INTO setting VALUES ('version', '1');
INSERT INTO game_table VALUES ('t', 'T', 1, 1, 0);
INSERT INTO event VALUES ('t', 1, 1, 'first', 1627937991);
"""


def columns(address: str) -> dict[str, list[tuple[str, bool]]]:
    engine = create_engine(address)
    found = inspect(engine)
    result = {
        table: sorted((one["name"], bool(one["nullable"])) for one in found.get_columns(table))
        for table in found.get_table_names()
    }
    engine.dispose()
    return result


def test_a_database_of_version_1_becomes_one_of_today(tmp_path: Path) -> None:
    old, new = (f"sqlite:///{tmp_path / name}" for name in ("old.sqlite", "new.sqlite"))
    base = sqlite3.connect(tmp_path / "old.sqlite")
    base.executescript(VERSION_1)
    base.close()
    store = Store(old)
    assert [row.data for row in store.read("t")] == ["first"]
    store.append("t", 2, 5, ["second"]).result()
    store.keep_contact(Contact("t", 0, "mail", "a@b.example")).result()
    assert store.list_tables()[0].events == 2 and store.contacts("t", (0,))[0].told == 0
    store.close()
    Store(new).close()
    assert columns(old) == columns(new)
    again = Store(old)
    assert len(again.read("t")) == 2
    again.close()


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    store = Store(address)
    store.close()
    base = sqlite3.connect(tmp_path / "tables.sqlite")
    base.execute("UPDATE setting SET value = '999' WHERE name = 'version'")
    base.commit()
    base.close()
    with pytest.raises(schema.OtherVersionError, match="use a newer program"):
        Store(address)


def test_events_of_older_versions_are_read() -> None:
    """A table that was stored before limits existed has none."""
    assert from_text('{"event":"bot","seat":1,"bot":"easy"}') == BotSat(1, "easy")
    old = (
        '{"event":"created","game":"pig","title":"Pig","rules":"r","players":2,"options":[],"seed":1,"seats":2,'
        '"start":[],"terms":{"undo":"own","hints":true,"watching":"silent","chat":true,"notes":false},"former":""}'
    )
    assert from_text(old).terms == Terms()  # type: ignore[union-attr]


def test_a_wish_that_was_called_off_does_not_stop_the_writer(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    begun, go_on = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        begun.set()
        go_on.wait(PATIENCE)

    first = store.write(wait)
    assert begun.wait(PATIENCE)
    second = store.write(lambda _: "nobody waits for it")
    assert second.cancel() and not first.cancel()
    go_on.set()
    first.result(PATIENCE)
    assert store.write(lambda _: "more").result(PATIENCE) == "more"
    store.close()


def test_a_claim_is_given_once(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    one, another = Store(address), Store(address)
    contact = Contact("t", 0, "mail", "a@b.example", told=-1)
    one.keep_contact(contact).result()
    assert not one.claim(contact, 3).result(), "an address that is not confirmed gets nothing"
    one.keep_contact(Contact("t", 0, "mail", "a@b.example")).result()
    assert [store.claim(contact, 3).result() for store in (one, another, one)] == [
        True,
        False,
        False,
    ]
    assert another.claim(contact, 4).result()
    one.close()
    another.close()


def test_names_and_addresses_are_deleted_days_after_the_last_move(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with server(data, "pig") as client:
        table = new_table(client, "pig", "me", "link", name="Methuselah")
        guest = other(client)
        guest.post(links_of(client, table)[1], data={"name": "Bob"})
        seat = f"/t/{table}/s/0"
        client.post(f"{seat}/say", data={**fields_of(client, seat), "text": "call me Methuselah"})
        client.post(f"{seat}/choose", data={**fields_of(client, seat), "option": "1"})
        store, hub = site_of(client).hub.store, site_of(client).hub
        store.keep_contact(Contact(table, 0, "mail", "methuselah@example.org")).result()
        course = live_of(client, table).table.course(live_of(client, table).game).steps
        clock = Clock(hub, site_of(client).notices, 90, wall=lambda: time.time() + 89 * 86_400)
        assert client.portal is not None
        client.portal.call(clock.tidy)
        assert "Methuselah" in client.get(seat).text
        clock.wall = lambda: time.time() + 91 * 86_400
        client.portal.call(clock.tidy)
        page = client.get(seat).text
        assert "Methuselah" not in page and "player 1" in page
        assert store.contacts(table, (0, 1)) == []
        live = live_of(client, table)
        assert live.table.course(live.game).steps == course, "the match is what it was"
        assert not [row for row in store.read(table) if "ethuselah" in row.data]
        assert guest.get(f"/t/{table}/s/1").status_code == 200, "who held a seat holds it still"
        assert store.with_names(2**60) == []
    files = b"".join(one.read_bytes() for one in data.glob("tables.sqlite*"))
    assert b"ethuselah" not in files


def test_a_table_that_was_deleted_is_gone_in_running_servers(tmp_path: Path) -> None:
    with server(tmp_path / "data", "pig") as client:
        table = new_table(client, "pig", "me", "me")
        live = live_of(client, table)
        store = site_of(client).hub.store
        (told,) = admin(store.address, ["delete", table])
        assert told == f"table {table} is deleted"
        until(lambda: live.is_gone)
        assert client.get(f"/t/{table}").status_code == 404
        assert client.get("/").status_code == 200
        assert site_of(client).hub.in_memory == 0


def _choose(client: TestClient, seat: str) -> int:
    fields = {**fields_of(client, seat), "option": "1"}
    return client.post(f"{seat}/choose", data=fields, headers={"accept": "text/html"}).status_code


def test_a_locked_database_is_told_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.web.storage.store._WAITS", 50)
    with server(tmp_path / "data", "pig") as client:
        table = new_table(client, "pig", "me", "me")
        seat = f"/t/{table}/s/0"
        base = sqlite3.connect(tmp_path / "data" / "tables.sqlite", isolation_level=None)
        base.execute("BEGIN IMMEDIATE")
        fields = {**fields_of(client, seat), "option": "1"}
        answer = client.post(f"{seat}/choose", data=fields)
        assert answer.status_code == 503 and "Nothing can be stored at the moment" in answer.text
        assert client.get(seat).status_code == 200, "it can still be looked at"
        base.execute("ROLLBACK")
        base.close()
        assert client.post(f"{seat}/choose", data=fields).status_code == 200
        live = live_of(client, table)
        assert live.table.course(live.game).step == 1


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    with server(tmp_path / "data", "pig") as client:
        table = new_table(client, "pig", "me", "me")
        seat, engine = f"/t/{table}/s/0", site_of(client).hub.store._engine
        form = fields_of(client, seat)["form"]

        def pages(most: int) -> None:
            """Limit the database to this many pages; the writer's connection is the only one of its pool."""
            with engine.connect() as connection:
                connection.exec_driver_sql(f"PRAGMA max_page_count = {most}")

        pages(1)
        said, statuses = 0, set[int]()
        for _ in range(200):
            status = client.post(f"{seat}/say", data={"form": form, "text": "x" * 500}).status_code
            said += status == 200
            statuses.add(status)
            if status == 503:
                break
        assert 503 in statuses
        assert client.get(seat).status_code == 200
        pages(1_000_000)
        assert _choose(client, seat) == 200
        live = live_of(client, table)
        assert len(live.table.chat) == said
        assert len(site_of(client).hub.store.read(table)) == live.table.number


def test_a_clock_that_goes_back_does_not_turn_events_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(tmp_path / "data", "pig") as client:
        table = new_table(client, "pig", "me", "me", limit="5")
        monkeypatch.setattr("rulewright.web.serving.hub.now_in_ms", lambda: 1_000)
        assert _choose(client, f"/t/{table}/s/0") == 200
        times = [row.at for row in site_of(client).hub.store.read(table)]
        assert times == sorted(times) and times[0] > 1_000
        assert "since" in client.get("/").text


def test_limits_wait_when_the_clock_jumps(tmp_path: Path) -> None:
    with server(tmp_path / "data", "pig") as client:
        table = new_table(client, "pig", "me", "me", limit="1")
        site, live = site_of(client), live_of(client, table)
        now = [time.time() + 700.0]  # the waiting time after a start is over

        async def jump() -> float:
            clock = Clock(site.hub, site.notices, beat=0.01, grace=600, wall=lambda: now[0])
            clock.plan(live)
            running = asyncio.create_task(clock.run())
            while not clock._spared:
                await asyncio.sleep(0.01)
            now[0] += 7_200
            while clock._spared < now[0] * 1000:
                await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            return clock._spared

        assert client.portal is not None
        assert client.portal.call(jump) == (now[0] + 600) * 1000
        assert live.table.ran_out == -1


def test_a_damaged_row_keeps_its_names(tmp_path: Path) -> None:
    """Data that cannot be read is not written again."""
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    store.create(Listed("t", "T", 1, 1, False), ["{}"]).result()

    def blank(text: str) -> str:
        raise DamagedRowError(text)

    with pytest.raises(DamagedRowError):
        store.forget("t", blank).result()
    assert store.with_names(9) == ["t"] and [row.data for row in store.read("t")] == ["{}"]
    store.close()


def test_the_tests_that_the_decision_page_names_are_there() -> None:
    folder = Path(__file__).parent
    page = (folder.parents[1] / "docs" / "decisions" / "tables-are-events.md").read_text()
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", page)
    assert len(named) > 10
    for file, test in named:
        assert f"def {test}(" in (folder / file).read_text(), (file, test)
