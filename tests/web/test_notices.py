"""Notices by mail, push and webhook, against stand-ins on loopback; limits when they are due; signatures."""

from __future__ import annotations

import json
import re
import socketserver
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import attrs
import pytest
from starlette.testclient import TestClient

from rulewright.web.serving import sending, vapid
from rulewright.web.serving.app import make_app
from rulewright.web.serving.clock import Clock
from rulewright.web.serving.notices import Settings
from rulewright.web.tables.events import BotSat, RanOut, from_text
from tests.waiting import serving, until
from tests.web.tables import (
    fields_of,
    links_of,
    live_of,
    new_table,
    options,
    other,
    server,
    site_of,
)


def test_the_signature_of_rfc_6979() -> None:
    key = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
    assert vapid.signature(b"sample", key) == (
        0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
        0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8,
    )
    point = bytes.fromhex(
        "0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
        "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
    )
    assert vapid.public_key(f"{key:064x}") == vapid._text(point)


@pytest.mark.parametrize(
    ("address", "private", "allowed"),
    [
        ("https://hooks.example.org/x?y=1", False, True),
        ("http://hooks.example.org/x", False, False),
        ("http://127.0.0.1:8000/", True, True),
        ("file:///etc/passwd", True, False),
        ("https://name:word@example.org/", False, False),
        ("https://example.org/a b", False, False),
        ("https://example.org:99999/", False, False),
        ("https:///x", False, False),
        ("", False, False),
    ],
)
def test_addresses_that_may_be_written_to(address: str, private: bool, allowed: bool) -> None:
    assert sending.is_allowed(address, private=private) == allowed


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "10.1.2.3", "169.254.169.254"])
def test_the_own_network_is_not_written_to(host: str) -> None:
    with pytest.raises(sending.NotSentError, match="private network") as failure:
        sending.send_json(f"https://{host}/", {}, private=False)
    assert failure.value.is_final


@attrs.define
class StandIn:
    """A push service and webhook, and the messages that it received."""

    address: str
    status: int = 201
    got: list[tuple[str, dict[str, str], bytes]] = attrs.field(factory=list)


@contextmanager
def http_stand_in() -> Iterator[StandIn]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            found.got.append((self.path, dict(self.headers.items()), body))
            self.send_response(found.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *arguments: Any) -> None:
            return

    one = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = StandIn(f"http://127.0.0.1:{one.server_port}")
    with serving(one):
        yield found


@contextmanager
def mail_stand_in() -> Iterator[tuple[str, list[bytes]]]:
    """A mail server that takes every mail."""
    mails: list[bytes] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 stand-in\r\n")
            for line in iter(self.rfile.readline, b""):
                word = line[:4].upper().strip()
                if word == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    mails.append(b"".join(iter(self.rfile.readline, b".\r\n")))
                self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 fine\r\n")

    one = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    with serving(one):
        yield f"smtp://127.0.0.1:{one.server_address[1]}", mails


@contextmanager
def noticing(data: Path, settings: Settings) -> Iterator[TestClient]:
    """A server that sends notices."""
    made = attrs.evolve(options(data, "pig"), notices=settings, public="http://table.test")
    app = make_app(made)
    with TestClient(app, base_url="http://table.test") as client:
        client.app_state = app.app.state  # type: ignore[attr-defined]
        yield client


def two_seats(client: TestClient, **fields: str) -> tuple[str, TestClient]:
    table = new_table(client, "pig", "me", "link", name="Ann", **fields)
    guest = other(client)
    guest.post(links_of(client, table)[1], data={"name": "Bob"})
    return table, guest


def hold(client: TestClient, seat: str) -> None:
    answer = client.post(f"{seat}/choose", data={**fields_of(client, seat), "option": "1"})
    assert answer.status_code == 200


def texts(mails: list[bytes]) -> list[tuple[str, str]]:
    found = [message_from_bytes(one) for one in mails]
    return [(str(one["Subject"]), str(one.get_payload())) for one in found]


def test_mails_come_after_the_address_was_confirmed(tmp_path: Path) -> None:
    with mail_stand_in() as (smtp, mails):
        settings = Settings(smtp=smtp, sender="table@example.org", after=0)
        with noticing(tmp_path / "data", settings) as client:
            table, guest = two_seats(client)
            mine, theirs = f"/t/{table}/s/0", f"/t/{table}/s/1"
            page = f"{theirs}/notices"
            form = {"form": fields_of(guest, page)["form"], "kind": "mail"}
            for bad in ("no address", "a@b\nBcc: c@d", "x" * 300 + "@example.org"):
                assert guest.post(page, data={**form, "address": bad}).status_code == 400
            guest.post(page, data={**form, "address": "bob@example.org"})
            until(lambda: mails)
            ((subject, text),) = texts(mails)
            assert subject == "Notices about Pig"
            assert "not confirmed yet" in guest.get(page).text
            link = re.findall(r"http://table\.test(/t/\w+/notices/\S+)", text)[0]
            assert "bob@example.org" in client.get(link).text
            assert "not confirmed yet" in guest.get(page).text, "opening a link changes nothing"
            client.post(link, data={"do": "confirm"})
            hold(client, mine)
            until(lambda: len(mails) > 1)
            subject, text = texts(mails)[1]
            assert subject == "Your turn: Pig" and f"http://table.test{theirs}" in text
            assert link in text
            hold(guest, theirs)
            hold(client, mine)
            until(lambda: len(mails) > 2)
            client.post(link, data={"do": "stop"})
            assert client.get(link).status_code == 404
            client.portal.call(site_of(client).clock.tick)  # type: ignore[union-attr]
            assert len(mails) == 3, "once for each decision"


def test_webhooks_and_pushes_are_sent_once(tmp_path: Path) -> None:
    with http_stand_in() as service:
        settings = Settings(webhooks=True, push="mailto:host@example.org", private=True, after=0)
        with noticing(tmp_path / "data", settings) as client:
            table, guest = two_seats(client)
            mine, theirs = f"/t/{table}/s/0", f"/t/{table}/s/1"
            form = {"form": fields_of(client, f"/t/{table}/host")["form"], "do": "webhook"}
            bad = client.post(f"/t/{table}/host", data={**form, "address": "ftp://example.org"})
            assert bad.status_code == 400
            client.post(f"/t/{table}/host", data={**form, "address": f"{service.address}/hook"})
            page = f"{theirs}/notices"
            told = {"form": fields_of(guest, page)["form"], "kind": "push"}
            guest.post(page, data={**told, "address": f"{service.address}/push/bob"})
            hold(client, mine)
            until(lambda: len({path for path, _, _ in service.got}) == 2)
            hook = next(json.loads(body) for path, _, body in service.got[::-1] if path == "/hook")
            assert (hook["name"], hook["seat"], hook["event"]) == ("Bob", 1, "turn")
            assert hook["url"] == f"http://table.test{theirs}"
            headers, body = next((head, body) for path, head, body in service.got if "push" in path)
            assert body == b"" and headers["TTL"] == "86400"
            key = vapid.public_key(site_of(client).notices.key())
            assert re.fullmatch(rf"vapid t=[\w.-]+, k={key}", headers["Authorization"])
            service.status = 410  # the browser has cancelled it
            hold(guest, theirs)
            hold(client, mine)
            store = site_of(client).hub.store
            until(lambda: store.contacts(table, (1,)) == [])


def test_nothing_is_sent_unless_it_is_configured(tmp_path: Path) -> None:
    with server(tmp_path / "data", "pig") as client:
        table, guest = two_seats(client)
        page = f"/t/{table}/s/1/notices"
        assert "sends no such notices" in guest.get(page).text
        form = fields_of(guest, f"/t/{table}/s/1")
        for kind in ("mail", "push", "webhook", "x"):
            data = {"form": form["form"], "kind": kind, "address": "a@example.org"}
            assert guest.post(page, data=data).status_code == 400
        assert "Webhook" not in client.get(f"/t/{table}/host").text


@pytest.mark.parametrize("late", ["told", "bot"])
def test_a_limit_is_enforced_when_it_is_due(
    tmp_path: Path, late: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.web.tables.table.STAND_IN", "random")
    with server(tmp_path / "data", "pig") as client:
        table, _ = two_seats(client, limit="10", unit="minutes", late=late)
        site, live = site_of(client), live_of(client, table)
        now = time.time()
        clock = Clock(site.hub, site.notices, wall=lambda: now)
        clock.plan(live)
        assert client.portal is not None
        now += 9 * 60
        client.portal.call(clock.tick)
        assert live.table.ran_out == -1
        asked = live.table.asked_at
        assert clock._limit(live) == live.table.due
        clock._spared = asked + clock.grace * 1000 + 1  # a start just after the decision was opened
        assert clock._limit(live) == max(live.table.due, clock._spared)
        clock._spared = asked + clock.grace * 1000 - 1  # and one just before it
        assert clock._limit(live) == live.table.due
        clock._spared = (now + 3600) * 1000
        now += 2 * 60
        client.portal.call(clock.tick)
        assert live.table.ran_out == -1, (
            "after a start or a jump of the clock nobody loses anything"
        )
        clock._spared = 0.0
        now += 3600
        client.portal.call(clock.tick)
        found = [from_text(row.data) for row in site.hub.store.read(table)]
        assert sum(isinstance(one, RanOut) for one in found) == 1
        assert any(isinstance(one, BotSat) and one.stands_in for one in found) == (late == "bot")
        if late == "bot":
            seat = f"/t/{table}/s/0"
            page = client.get(seat).text
            assert "A bot plays for you" in page
            client.post(f"{seat}/back", data={"form": fields_of(client, seat)["form"]})
            assert live.table.seats[0].who == "person"


def test_after_a_start_all_open_tables_are_looked_at(tmp_path: Path) -> None:
    with server(tmp_path / "data", "pig") as client:
        table = new_table(client, "pig", "me", "me")
    with server(tmp_path / "data", "pig") as client:
        until(lambda: site_of(client).hub.in_memory == 1)
        assert live_of(client, table).table.id == table
