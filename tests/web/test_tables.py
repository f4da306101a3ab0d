"""Tables over HTTP: seats, links, choices, undo, chat, hosts, rules that change."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

import attrs
import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from rulewright.interpreter.engines.codegen.python import PythonEngine
from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.matches.records import parse_records
from rulewright.interpreter.matches.replay import replay
from rulewright.web.serving import lobby, play
from rulewright.web.serving.app import make_app
from rulewright.web.serving.bots import Bots, Position
from rulewright.web.serving.guard import Guard, Rates
from rulewright.web.serving.library import Library
from rulewright.web.tables.kept_rules import load_kept
from tests.waiting import PATIENCE, until
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


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path / "data", "connect_four", "love_letter", "pig") as found:
        yield found


def choose(client: TestClient, seat: str, option: int = 0, **more: str) -> int:
    fields = {**fields_of(client, seat), "option": str(option), **more}
    return client.post(
        f"{seat}/choose", data=fields, headers={"accept": "application/json"}
    ).status_code


def step_of(client: TestClient, table: str) -> int:
    """How many decisions have been made."""
    live = live_of(client, table)
    return live.table.course(live.game).step


def wish_of(client: TestClient, table: str) -> object:
    """The open request to take back."""
    return live_of(client, table).table.undo_request


def test_the_list_of_games(client: TestClient) -> None:
    page = client.get("/").text
    assert "Connect Four" in page and "Love Letter" in page and "/new/pig" in page
    assert "by Seiji Kanai" in page and "20 minutes" in page


def test_the_list_of_games_does_not_wait_for_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read, read = Event(), Library.offered_game

    def slow(library: Library, name: str) -> Game:
        assert may_read.wait(PATIENCE)
        return read(library, name)

    monkeypatch.setattr(Library, "offered_game", slow)
    app = make_app(options(tmp_path / "data", "pig"))
    with TestClient(app, base_url="http://table.test") as client:
        first = client.get("/")
        may_read.set()
        assert "pig" in first.text and "being read" in first.text
        assert first.headers["refresh"] == "2"
        until(lambda: "refresh" not in client.get("/").headers)
        assert "/new/pig" in client.get("/").text


def test_threads_that_write_the_same_rules_at_once_do_not_disturb_one_another(
    client: TestClient, tmp_path: Path
) -> None:
    library = site_of(client).hub.library
    rules = library.pin("love_letter", library.offered_game("love_letter"))
    for n in range(20):
        here = attrs.evolve(library, folder=tmp_path / str(n))
        with ThreadPoolExecutor(8) as threads:
            (path,) = {*threads.map(here.path, [rules.digest] * 8)}
        assert [*Path(path).parent.rglob("*.part")] == []
        assert Path(path).read_bytes() == rules.files[rules.main].encode("utf-8")


def test_the_list_of_games_has_a_picture_of_each(client: TestClient) -> None:
    page = client.get("/").text
    assert 'src="/picture/connect_four"' in page and ">Abstract</h2>" in page
    drawn = client.get("/picture/connect_four")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.count("<circle") > 10
    assert drawn.text == client.get("/picture/connect_four").text
    assert client.get("/picture/nothing").status_code == 404


def test_functions_of_a_table_are_written_before_they_are_called(client: TestClient) -> None:
    live = live_of(client, new_table(client, "pig", "me", "me"))
    engine = live.game.compiled(live.table.variant).engine
    assert isinstance(engine, PythonEngine)
    until(lambda: not engine.write_ahead(lambda: True))


def test_options_are_explained_by_their_clauses(tmp_path: Path) -> None:
    pig = Path(str(load_game("pig").facts.path))
    clauses = pig.with_suffix(".rules.md").read_text()
    more = "- **RA-1** A long race has <b>40</b> laps.\n- **RA-2** Other.\n"
    (tmp_path / "pig.rules.md").write_text(clauses + more)
    rules = tmp_path / "race.game"
    option = "option laps = few, many  [RA-1]\n"
    rules.write_text(pig.read_text().replace("value goal", f"{option}value goal"))
    with server(tmp_path / "data", str(rules)) as client:
        page = client.get("/new/race").text
        assert "What “laps” means" in page
        assert "A long race has &lt;b&gt;40&lt;/b&gt; laps." in page and "Other." not in page


def test_each_list_of_the_form_for_a_table_has_one_usual_value(client: TestClient) -> None:
    lists = re.findall(r"<select.*?</select>", client.get("/new/love_letter?players=4").text)
    assert len(lists) >= 8
    assert [one.count(" selected") for one in lists] == [1] * len(lists)


def test_refused_options_are_grey_with_their_reasons(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "me")
    for step in range(6):
        assert choose(client, f"/t/{table}/s/{step % 2}") == 200
    page = client.get(f"/t/{table}/s/0/why").text
    assert (
        '<span class="refused">drop a disc into column 1</span><p>column 1 is full [CF-011]</p>'
        in page
    )


def test_a_link_changes_nothing_until_its_button_is_pressed(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "link", name="Ann")
    guest = other(client)
    seat = links_of(client, table)[1]
    for _ in range(2):  # chat programs open links before anybody does
        page = guest.get(seat)
        assert page.status_code == 200 and "Take this seat" in page.text
        assert not guest.cookies
    assert live_of(client, table).table.is_waiting
    answer = guest.post(seat, data={"name": "Bob"}, follow_redirects=False)
    assert answer.headers["location"] == f"/t/{table}/s/1"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and f"Path=/t/{table}" in cookie
    assert guest.get(f"/t/{table}/s/1").status_code == 200
    assert guest.get(f"/t/{table}/s/0").status_code == 403
    assert not live_of(client, table).table.is_waiting


def test_no_link_is_written_to_the_log(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = new_table(client, "connect_four", "me", "link")
    secrets = [link.rpartition("/")[2] for link in links_of(client, table)]

    def broken(*parts: object) -> str:
        raise ValueError("a fault of the server")

    for page in ("key_page", "table_page"):
        monkeypatch.setattr(lobby, page, broken)
    assert client.get(f"/t/{table}/k/{secrets[1]}").status_code == 500
    assert client.get(f"/t/{table}").status_code == 500, "the cookies of two seats are sent"
    assert caplog.text.count("ValueError: a fault") == 2
    assert not [secret for secret in secrets if secret in caplog.text]


def test_a_request_that_breaks_off_is_no_fault(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    table = new_table(client, "connect_four", "me", "me")
    cookie = "; ".join(f"{one.name}={one.value}" for one in client.cookies.jar)
    headers = [(b"cookie", cookie.encode()), (b"content-length", b"9"), (b"host", b"table.test")]
    scope = {
        "type": "http", "method": "POST", "path": f"/api/t/{table}", "raw_path": b"",
        "query_string": b"", "headers": headers, "client": ("testclient", 1),
    }  # fmt: skip
    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        answers.append(message)

    assert client.portal is not None
    client.portal.call(client.app, scope, receive, send)
    assert answers[0]["status"] == 400 and caplog.text == ""


def test_an_open_seat_moves_to_another_device(client: TestClient) -> None:
    table = new_table(client, "pig", "me", "open")
    guest, phone = other(client), other(client)
    guest.post(f"/t/{table}/open/1", data={"name": "Bob"})
    (link,) = re.findall(r'value="https?://[^/"]*(/t/\w+/k/[\w-]+)"', guest.get(f"/t/{table}").text)
    assert "/k/" not in phone.get(f"/t/{table}").text
    assert phone.post(link, data={"name": "Bob"}).status_code == 200
    assert phone.get(f"/t/{table}/s/1").status_code == 200


def test_a_seat_moves_to_another_device_and_is_revoked(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "link")
    link = links_of(client, table)[1]
    phone, seats = other(client), other(client)
    for device in (phone, seats):
        device.post(link, data={"name": "Bob"})
        assert device.get(f"/t/{table}/s/1").status_code == 200
    token = re.findall(r'name="form" value="([^"]*)"', client.get(f"/t/{table}/host").text)[0]
    client.post(f"/t/{table}/host", data={"form": token, "do": "link", "seat": "1"})
    assert phone.get(f"/t/{table}/s/1").status_code == 403
    assert phone.get(link).status_code == 404
    new = links_of(client, table)[1]
    assert new != link
    phone.post(new, data={"name": "Bob"})
    assert phone.get(f"/t/{table}/s/1").status_code == 200


def test_a_choice_is_stored_once_and_a_stale_one_is_refused(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "me")
    seat = f"/t/{table}/s/0"
    fields = fields_of(client, seat)
    data = {**fields, "option": "3"}
    said = {"accept": "application/json"}
    first = client.post(f"{seat}/choose", data=data, headers=said)
    again = client.post(f"{seat}/choose", data=data, headers=said)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    late = client.post(f"{seat}/choose", data={**data, "option": "4"}, headers=said)
    assert late.status_code == 409
    assert live_of(client, table).table.course(live_of(client, table).game).step == 1
    assert choose(client, f"/t/{table}/s/1", 3) == 200
    # the first choice again, after others have moved
    assert client.post(f"{seat}/choose", data=data, headers=said).status_code == 200
    assert live_of(client, table).table.course(live_of(client, table).game).step == 2


def test_only_the_asked_seat_can_choose(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "me")
    fields = fields_of(client, f"/t/{table}/s/0")
    theirs = fields_of(client, f"/t/{table}/s/1")
    fields = {**theirs, "decision": fields["decision"], "option": "0"}
    assert client.post(f"/t/{table}/s/1/choose", data=fields).status_code == 409
    guest = other(client)
    assert guest.post(f"/t/{table}/s/0/choose", data=fields).status_code == 403


def test_a_waiting_player_reads_whose_turn_it_is(client: TestClient) -> None:
    """It is above the match, because on a phone the player who decides is below the own cards."""
    table = new_table(client, "love_letter", "me", "me", watching="silent")
    live = live_of(client, table)
    player = live.table.course(live.game).state.player
    said = ["decides.</p>" in client.get(f"/t/{table}/{page}").text for page in ("s/0", "s/1", "w")]
    assert said == [player != 0, player != 1, True]


def test_forms_of_other_sites_are_refused(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "me")
    seat = f"/t/{table}/s/0"
    fields = {**fields_of(client, seat), "option": "0"}
    bad = {**fields, "form": "x"}
    assert client.post(f"{seat}/choose", data=bad).status_code == 403
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert client.post(f"{seat}/choose", data=fields, headers=headers).status_code == 403
    assert (
        client.post(
            f"{seat}/choose", data=fields, headers={"origin": "http://table.test"}
        ).status_code
        == 200
    )


def test_every_answer_carries_the_policy(client: TestClient) -> None:
    for path in ("/", "/nothing", "/static/nothing", "/t/nothing", "/health"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith(
            "default-src 'none'; script-src 'self'"
        )
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"


def test_undo_is_free_until_somebody_else_has_acted(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "link")
    guest = other(client)
    guest.post(links_of(client, table)[1], data={"name": "Bob"})
    mine, theirs = f"/t/{table}/s/0", f"/t/{table}/s/1"
    assert choose(client, mine, 3) == 200
    client.post(f"{mine}/undo", data=fields_of(client, mine))
    assert step_of(client, table) == 0
    assert "taken back" in client.get(mine).text
    choose(client, mine, 3)
    choose(guest, theirs, 3)
    client.post(f"{mine}/undo", data=fields_of(client, mine))
    assert step_of(client, table) == 2 and wish_of(client, table) is not None
    assert "wants to take back" in guest.get(theirs).text
    guest.post(f"{theirs}/decline", data=fields_of(guest, theirs))
    assert wish_of(client, table) is None
    client.post(f"{mine}/undo", data=fields_of(client, mine))
    guest.post(f"{theirs}/agree", data=fields_of(guest, theirs))
    assert step_of(client, table) == 0


@pytest.mark.parametrize(("game", "shown"), [("pig", "a result of chance"), ("love_letter", "")])
def test_undo_of_a_disclosure_needs_consent(client: TestClient, game: str, shown: str) -> None:
    """A die has been rolled, or the next player has drawn a card; the page names the revealed things."""
    table = new_table(client, game, "me", "link")
    guest = other(client)
    guest.post(links_of(client, table)[1], data={"name": "Bob"})
    live = live_of(client, table)
    first = live.table.course(live.game).state.player
    here, seat = (client, guest)[first], f"/t/{table}/s/{first}"
    assert choose(here, seat, 0) == 200
    before = live.table.course(live.game).step
    here.post(f"{seat}/undo", data=fields_of(here, seat))
    assert live.table.course(live.game).step == before and live.table.undo_request is not None
    course, request = live.table.course(live.game), live.table.undo_request
    page = here.get(seat).text
    assert ", ".join(course.shown_since(request.step, first)) in page
    assert shown in page
    assert ("You will still know" in page) is bool(course.shown_since(request.step, first))


def test_a_match_goes_on_after_a_restart(tmp_path: Path) -> None:
    with server(tmp_path / "data", "love_letter") as client:
        table = new_table(client, "love_letter", "me", "me", name="Ann")
        for _ in range(4):
            live = live_of(client, table)
            choose(client, f"/t/{table}/s/{live.table.player(live.game)}")
        cookies = dict(client.cookies)
        before = live_of(client, table).table.course(live_of(client, table).game)
        pages = [client.get(f"/t/{table}/s/{seat}").text for seat in range(2)]
    with server(tmp_path / "data", "love_letter") as client:
        for name, value in cookies.items():
            client.cookies.set(name, value)
        after = live_of(client, table).table.course(live_of(client, table).game)
        assert after.state == before.state and after.steps == before.steps
        assert pages == [client.get(f"/t/{table}/s/{seat}").text for seat in range(2)]


def test_the_record_comes_after_the_end_and_replays(client: TestClient) -> None:
    table = new_table(client, "love_letter", "me", "me")
    live = live_of(client, table)
    assert client.get(f"/t/{table}/s/0/record").status_code == 403
    while not live.table.course(live.game).state.over:
        assert choose(client, f"/t/{table}/s/{live.table.player(live.game)}") == 200
    text = client.get(f"/t/{table}/s/0/record").text
    record = parse_records(text, "record")[0]
    assert record.is_whole
    assert replay(record, load_game("love_letter")).state == live.table.course(live.game).state
    assert "The match is over" in client.get(f"/t/{table}/s/1").text
    assert client.get(f"/t/{table}/s/1/replay?step=3&as=0").status_code == 200


def test_bots_play_at_once_and_hints_ask_them(client: TestClient) -> None:
    table = new_table(client, "connect_four", "bot:random", "bot:random")
    live = live_of(client, table)

    portal = client.portal
    assert portal is not None
    until(lambda: portal.call(lambda: live.table.course(live.game).state.over))


def test_a_page_says_that_a_bot_is_thinking(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def think_for_ever(*_: object) -> str:
        found: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        return await found

    monkeypatch.setattr(Bots, "choose", think_for_ever)
    table = new_table(client, "connect_four", "me", "bot:random")
    assert choose(client, f"/t/{table}/s/0") == 200
    page = client.get(f"/t/{table}/s/0").text
    # a script counts the seconds
    assert 'player 2 is thinking ...<span aria-hidden="true" data-seconds="s"></span>' in page


def test_bots_that_search_get_ready_while_a_person_thinks(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[Position] = []

    async def get_ready(_: Bots, position: Position) -> None:
        prepared.append(position)

    monkeypatch.setattr(Bots, "get_ready", get_ready)
    new_table(client, "connect_four", "me", "bot:random")
    table = new_table(client, "connect_four", "me", "bot:easy", name="Ann")
    until(lambda: prepared)
    new_table(client, "connect_four", "me", "bot:normal")  # it uses the same code
    assert [each.table for each in prepared] == [table]
    assert [each.names for each in prepared] == [("Ann", "")]


def test_a_hint_says_how_long_it_may_take_and_is_given_up_then(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_table(client, "connect_four", "me", "me")
    page = client.get(f"/t/{table}/s/0").text
    assert 'data-wait="A bot is thinking: usually a second or two, at most 60 seconds."' in page
    monkeypatch.setattr(play, "HINT_SECONDS", 0)
    answer = client.get(f"/t/{table}/s/0/hint")
    assert answer.status_code == 503
    assert "The bot was not ready within 0 seconds" in answer.text


def test_tables_keep_their_rules(tmp_path: Path) -> None:
    """A table keeps the rules it began with, and moves to other rules only if its steps are the same there."""
    rules = tmp_path / "race.game"
    pig = Path(str(load_game("pig").facts.path)).read_text()
    rules.write_text(pig)
    cookies = {}
    with server(tmp_path / "data", str(rules)) as client:
        table = new_table(client, "race", "me", "me")
        first = live_of(client, table).table.rules
        choose(client, f"/t/{table}/s/0", 0)
        cookies = dict(client.cookies)
    rules.write_text(pig.replace("100", "50"))
    with server(tmp_path / "data", str(rules)) as client:
        for name, value in cookies.items():
            client.cookies.set(name, value)
        live = live_of(client, table)
        assert live.table.rules == first
        assert live.game.hash == first != site_of(client).hub.library.offered_game("race").hash
        page = client.get(f"/t/{table}/host").text
        assert "have changed" in page
        token = re.findall(r'name="form" value="([^"]*)"', page)[0]
        answer = client.post(f"/t/{table}/host", data={"form": token, "do": "rules"})
        assert answer.status_code == 200 and live.table.rules != first
        assert live.game.hash == live.table.rules
    rules.write_text(pig.replace('option "roll"', 'option "throw"'))
    with server(tmp_path / "data", str(rules)) as client:
        for name, value in cookies.items():
            client.cookies.set(name, value)
        token = re.findall(r'name="form" value="([^"]*)"', client.get(f"/t/{table}/host").text)[0]
        answer = client.post(f"/t/{table}/host", data={"form": token, "do": "rules"})
        assert answer.status_code == 400 and "do not allow step 1 of this match" in answer.text


_ONE_OPTION = """game "Two"
    players 2

play
    each player
        choose one of
            option "a"
                log "x"
            option "b"
                log "y"
        choose one of
            option "go"
                log "z"
    end game

score of p
    item "points" = 1

winner p by p.total then shared
"""


def test_a_choice_is_stored_at_once_with_those_that_have_one_option(tmp_path: Path) -> None:
    rules = tmp_path / "two.game"
    rules.write_text(_ONE_OPTION)
    with server(tmp_path / "data", str(rules)) as client:
        table = new_table(client, "two", "me", "me")
        store = site_of(client).hub.store
        now = live_of(client, table).table
        before, decision = now.number, now.decision
        with pytest.MonkeyPatch.context() as patch:
            stored: list[int] = []
            append = store.append

            def noting_append(table: str, first: int, at: int, data: Sequence[str]) -> Future[None]:
                stored.append(first)
                return append(table, first, at, data)

            patch.setattr(store, "append", noting_append)
            choose(client, f"/t/{table}/s/0", 0)
        assert stored == [before + 1]
        rows = [json.loads(row.data) for row in store.read(table, before)]
        assert [row.get("only", False) for row in rows] == [False, True]
        assert [row["answers"] for row in rows] == [decision, before + 1]
        choose(client, f"/t/{table}/s/1", 0)
        live = live_of(client, table)
        assert live.table.course(live.game).state.over
        assert client.portal is not None
        client.portal.call(site_of(client).hub.forget, table)
        assert live_of(client, table).table.number == before + 4


def test_the_form_of_a_new_table_begins_with_options_that_fit_and_keeps_refused_ones(
    tmp_path: Path,
) -> None:
    rules = tmp_path / "race.game"
    pig = Path(str(load_game("pig").facts.path)).read_text()
    never = "    never teams is no and player_count is 3\n"
    rules.write_text(
        pig.replace("    by ", f"{never}    by ", 1).replace(
            "\nvalue", "\noption teams = no, yes\n\nvalue", 1
        )
    )
    with server(tmp_path / "data", str(rules)) as client:
        for players, chosen in (2, "no"), (3, "yes"):
            page = client.get(f"/new/race?players={players}").text
            assert re.findall(r'value="(\w+)" selected>(?:no|yes)', page) == [chosen]
        sent = {"players": "3", "name": "Ann", "option-teams": "no", "seat2": "open"}
        answer = client.post("/new/race", data={**sent, "limit": "7"})
        assert answer.status_code == 400
        for kept in (
            'name="name" value="Ann"',
            '"no" selected',
            '"open" selected',
            'name="limit" value="7"',
        ):
            assert kept in answer.text
        assert "checked" not in answer.text, "hints and chat were not wanted"


_TELLS = """game "Tells"
    players 2

piece Card
    rank: 1..3
    row ace, 1
    row king, 2

player
    zone hand: set of Card, seen by owner except size

setup
    move ace to first(p in players then order).hand

play
    each player
        choose one of
            option "stay"
                log "{me} stays"
            option "tell"
                log "{me} has {list(c in me.hand)}"
    end game

score of p
    item "points" = 1

winner p by p.total then shared
"""
"""A program that checked less would have accepted these rules."""


def test_a_table_goes_on_under_rules_that_are_no_longer_accepted(tmp_path: Path) -> None:
    rules = tmp_path / "tells.game"
    rules.write_text(_TELLS)
    with server(tmp_path / "data", str(rules), load=load_kept) as client:
        table = new_table(client, "tells", "me", "bot:random")
        cookies = dict(client.cookies)
    with server(tmp_path / "data", str(rules)) as client:
        client.cookies.update(cookies)
        with pytest.raises(AssertionError, match="`tells` has 1 problem"):
            new_table(client, "tells", "me", "me")
        choose(client, f"/t/{table}/s/0", 1)
        until(lambda: live_of(client, table).table.course(live_of(client, table).game).state.over)


@pytest.mark.parametrize("fits", [True, False])
def test_a_table_whose_rules_cannot_be_read_moves_to_the_present_ones(
    tmp_path: Path, fits: bool
) -> None:
    """Here the rules in the database are broken, as if a newer program could not read their language."""
    rules, data = tmp_path / "race.game", tmp_path / "data"
    pig = Path(str(load_game("pig").facts.path)).read_text()
    rules.write_text(pig)
    with server(data, str(rules)) as client:
        table = new_table(client, "race", "me", "me")
        choose(client, f"/t/{table}/s/0", 0)
        cookies = dict(client.cookies)
    with sqlite3.connect(data / "tables.sqlite") as database:
        database.execute("UPDATE rules SET files = replace(files, 'players', 'playing')")
    database.close()
    shutil.rmtree(data / "rules", ignore_errors=True)
    rules.write_text(pig.replace("100", "50") if fits else pig.replace('"roll"', '"throw"'))
    with server(data, str(rules)) as client:
        client.cookies.update(cookies)
        page = client.get(f"/t/{table}/s/0")
        assert page.status_code == (200 if fits else 400)
        assert ("cannot be read" in page.text) is not fits
        if fits:
            live = live_of(client, table)
            assert (
                live.table.rules
                == live.game.hash
                == site_of(client).hub.library.offered_game("race").hash
            )
            choose(client, f"/t/{table}/s/0", 0)


def test_hostile_names_and_texts_are_shown_as_they_are(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "link", name='<b onx="1">\'&')
    page = client.get(f"/t/{table}").text
    assert "<b onx" not in page and '&lt;b onx="1"&gt;' in page
    seat = f"/t/{table}/s/0"
    client.post(
        f"{seat}/say", data={**fields_of(client, seat), "text": "<script>alert(1)</script>\u202e\n"}
    )
    page = client.get(seat).text
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page
    assert "\u202e" not in page
    guest = other(client)
    link = links_of(client, table)[1]
    for name in ("x" * 21, "a\u202eb", "\u0000"):
        answer = guest.post(link, data={"name": name})
        assert answer.status_code == 400, name
    assert guest.post(link, data={"name": '<B ONX="1">\'&'}).status_code == 400, (
        "somebody is called so"
    )


def test_sizes_are_limited(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "me")
    seat = f"/t/{table}/s/0"
    fields = fields_of(client, seat)
    assert client.post(f"{seat}/say", data={**fields, "text": "x" * 501}).status_code == 400
    longer = {**fields, "text": "x" * 70_000}
    page = client.post(f"{seat}/say", data=longer)
    assert page.status_code == 413 and "This is longer than the limit.</p>" in page.text
    answer = client.post(f"{seat}/say", data=longer, headers={"accept": "application/json"})
    assert answer.status_code == 413
    assert answer.json() == {"error": "This is longer than the limit."}


def test_rates_are_limited_for_each_address(tmp_path: Path) -> None:
    with server(tmp_path / "data", "pig") as client:
        app = client.app
        assert isinstance(app, Guard)
        app.sent = Rates(2, 0.001)
        for _ in range(2):
            new_table(client, "pig", "me", "me")
        answer = client.post("/new/pig", data={"players": "2"}, follow_redirects=False)
        assert answer.status_code == 429 and answer.headers["retry-after"] == "5"
        assert client.get("/").status_code == 200, "reading is counted for itself"
        app.asked = Rates(1, 0.001)
        assert [client.get("/health").status_code for _ in range(2)] == [200, 429]
        answer = client.get("/", headers={"accept": "application/json"})
        assert answer.json() == {"error": "Too many requests. Wait a little, and try again."}


def test_new_and_open_tables_are_limited(tmp_path: Path) -> None:
    with server(tmp_path / "data", "pig") as client:
        site = site_of(client)
        site.creating = Rates(2, 0.001)
        for seats in (("me", "me"), ("me", "link")):
            new_table(client, "pig", *seats)
        again = {"players": "2"}
        assert client.post("/new/pig", data=again).status_code == 429
        site.creating = Rates(1e6, 1)
        site.most_tables = 2
        answer = client.post("/new/pig", data=again)
        assert answer.status_code == 503 and "too many open tables" in answer.text


@pytest.mark.parametrize("who", ["code", "host"])
def test_a_code_decides_who_may_create(tmp_path: Path, who: str) -> None:
    with server(tmp_path / "data", "pig", who_may_create=who, code="open sesame") as client:
        assert 'name="code"' in client.get("/new/pig").text
        for code in ("", "Open sesame", "öpen"):
            answer = client.post("/new/pig", data={"players": "2", "code": code})
            assert answer.status_code == 403 and "This code is wrong." in answer.text
        new_table(client, "pig", "me", "link", code="open sesame")


def test_no_file_outside_is_served(client: TestClient) -> None:
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/rules/../../etc/passwd",
        "/rules/%2fetc%2fpasswd",
    ):
        answer = client.get(path)
        assert answer.status_code == 404 and "root:" not in answer.text


def test_the_protocol_speaks_for_a_seat(client: TestClient) -> None:
    table = new_table(client, "love_letter", "me", "link")
    token = links_of(client, table)[1].rpartition("/")[2]
    bare = other(client)
    bare.post(f"/t/{table}/k/{token}", data={"name": "Bob"})
    bare.cookies.clear()
    said = {"Authorization": f"Bearer {token}"}

    def ask(**request: object) -> dict[str, object]:
        answer = bare.post(
            f"/api/t/{table}", content=json.dumps({"match": table, **request}), headers=said
        )
        found: dict[str, object] = answer.json()
        return found

    assert bare.post(f"/api/t/{table}", content="{}").status_code == 403
    assert ask(ask="status")["answer"] == "status"
    assert ask(ask="options", viewer=1)["answer"] == "options"
    assert ask(ask="view", viewer=1)["answer"] == "view"
    assert ask(ask="view", viewer=0)["answer"] == "error"
    assert ask(ask="scene", viewer=1)["answer"] == "scene"
    assert ask(ask="scene", viewer=0)["answer"] == "error"
    assert ask(ask="view", viewer="all")["answer"] == "error"
    assert ask(ask="record")["answer"] == "error"
    assert site_of(client).hub.in_memory == 1


def test_a_game_that_is_broken_keeps_nobody_from_the_others(tmp_path: Path) -> None:
    rules = tmp_path / "race.game"
    pig = Path(str(load_game("pig").facts.path)).read_text()
    rules.write_text(pig)
    with server(tmp_path / "data", str(rules), "pig") as client:
        table = new_table(client, "race", "me", "me")
        cookies = dict(client.cookies)
    rules.write_text("game Race\n")
    with server(tmp_path / "data", str(rules), "pig") as client:
        for name, value in cookies.items():
            client.cookies.set(name, value)
        page = client.get("/").text
        assert "Pig" in page and "cannot be read" in page
        assert client.get("/new/race").status_code == 400
        assert choose(client, f"/t/{table}/s/0", 0) == 200, (
            "the table has its own copy of the rules"
        )
        assert client.get(f"/t/{table}/host").status_code == 200


def test_looks_beside_a_game_are_served_and_nothing_else(tmp_path: Path) -> None:
    rules = tmp_path / "race.game"
    rules.write_text(Path(str(load_game("pig").facts.path)).read_text())
    (tmp_path / "race.css").write_text("[data-value] { color: red }\n")
    (tmp_path / "secret.css").write_text("not for others")
    with server(tmp_path / "data", str(rules)) as client:
        table = new_table(client, "race", "me", "me")
        page = client.get(f"/t/{table}/s/0").text
        address = re.findall(r'href="(/looks/race/[^"]*)"', page)[0]
        style = client.get(address)
        assert style.status_code == 200 and "color: red" in style.text
        for other in (
            "/looks/race/secret.css",
            "/looks/race/../secret.css",
            "/looks/other/look.css",
        ):
            assert client.get(other).status_code == 404
