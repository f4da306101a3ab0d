"""Slow matches: limits, reminders, stand-ins, standing answers, delayed spectators, rematch, statistics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.records import parse_records
from rulewright.interpreter.matches.replay import replay
from rulewright.web.serving.admin import AdminError, admin
from rulewright.web.tables import events
from rulewright.web.tables.course import chance_at_start
from rulewright.web.tables.events import Chose, Event, from_text, to_text
from rulewright.web.tables.table import NUDGE_AGAIN, RefusedError, Table
from tests.waiting import until
from tests.web.tables import fields_of, links_of, live_of, new_table, other, server, site_of

MINUTE = 60_000
POINTING = """
game "Point"
    players 2
play
    each player
        choose p in players prompt "whom do you point at?"
        log "{me} points at {p}"
        choose one of
            option "greet {x}" for x in players
                log "{me} greets {x}"
score of p
    item "points" = 0
"""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path / "data", "connect_four", "love_letter", "pig") as found:
        yield found


def table_of(name: str, seats: int = 2, **terms: object) -> Table:
    """A table with a person at each seat."""
    game = load_game(name)
    variant = game.variant(seats)
    made = events.Created(
        name, game.title, game.hash, seats, variant.options, 5, seats, chance_at_start(game, variant, 5),
        events.Terms(**terms),  # type: ignore[arg-type]
    )  # fmt: skip
    sat = [events.Sat(seat, name) for seat, name in enumerate(("Ann", "Bob", "Cy")[:seats])]
    return Table.of("t", enumerate_events([made, *sat]))


def enumerate_events(found: list[Event]) -> Iterator[tuple[int, int, Event]]:
    yield from ((number, 0, event) for number, event in enumerate(found, start=1))


def take(table: Table, *found: Event, at: int = 0) -> None:
    """Apply events after they are stored and read again."""
    for event in found:
        table.take(table.number + 1, at, from_text(to_text(event)))


def choose(table: Table, option: str, at: int = 0) -> None:
    game = load_game(table.created.game)
    take(
        table,
        *table.choose(
            game, table.player(game), table.course(game).decision(table.player(game)), option
        ),
        at=at,
    )


def test_a_limit_counts_from_the_question_and_stops_in_a_pause() -> None:
    game, table = load_game("pig"), table_of("pig", limit=10)
    assert table.due == 10 * MINUTE
    choose(table, "hold", at=4 * MINUTE)
    assert table.due == 14 * MINUTE
    take(table, *table.pause(goes_on=False), at=5 * MINUTE)
    assert table.due == 0 and table.run_out(game, 99 * MINUTE) == ()
    take(table, *table.pause(goes_on=True), at=60 * MINUTE)
    assert table.due == 70 * MINUTE
    assert table.run_out(game, 69 * MINUTE) == ()
    (out,) = table.run_out(game, 70 * MINUTE)
    assert out == events.RanOut(table.decision, 1)
    take(table, out, at=70 * MINUTE)
    assert table.run_out(game, 80 * MINUTE) == (), "it is said once"
    assert table.bot_to_move(game) == ""


@pytest.mark.parametrize("late", ["once", "bot"])
def test_a_bot_plays_for_who_is_late(late: str) -> None:
    game, table = load_game("pig"), table_of("pig", limit=1, late=late)
    take(table, *table.run_out(game, 2 * MINUTE), at=2 * MINUTE)
    assert table.bot_to_move(game) == "easy"
    assert table.name_of(0, game) == "Ann"
    choose(table, "hold")
    choose(table, "hold")
    assert table.bot_to_move(game) == ("easy" if late == "bot" else "")
    if late == "bot":
        take(table, *table.sit(game, 0, "Ann"))
        assert table.bot_to_move(game) == "" and table.person(game) == 0


def test_a_reminder_once_an_hour() -> None:
    game, table = load_game("pig"), table_of("pig")
    with pytest.raises(RefusedError, match="nobody to remind"):
        table.nudge_by(game, 0, 0)
    take(table, *table.nudge_by(game, 1, 5), at=5)
    with pytest.raises(RefusedError, match="within the last hour"):
        table.nudge_by(game, 1, NUDGE_AGAIN)
    assert table.nudge_by(game, 1, 5 + NUDGE_AGAIN) == (events.Nudged(0, 1),)
    choose(table, "hold")
    assert table.nudge is None


def stands(table: Table, option: str, until: events.Until) -> None:
    game = load_game(table.created.game)
    take(
        table,
        *table.stand(
            game, table.player(game), table.course(game).decision(table.player(game)), option, until
        ),
    )


@pytest.mark.parametrize(
    ("until", "goes_on"), [("others", False), ("options", True), ("gone", True)]
)
def test_a_standing_answer_stops_when_something_changes(until: events.Until, goes_on: bool) -> None:
    game, table = load_game("pig"), table_of("pig")
    stands(table, "hold", until)
    choose(table, "hold")
    further = table.next_by_itself(game)
    assert isinstance(further, Chose) and further.steps[0] == "hold" and further.seat == 0
    take(table, further)
    choose(table, "roll")
    assert (table.stands(game, 0) is not None) == goes_on


@pytest.mark.parametrize("secret", [0, 1])
def test_a_standing_answer_does_not_tell_what_others_choose_in_secret(secret: int) -> None:
    game, table = load_game("goofspiel"), table_of("goofspiel")
    names = table.course(game).state.decision.names
    stands(table, names[0], "others")
    choose(table, names[secret])
    assert table.stands(game, 0) is None


def test_a_standing_answer_ends_with_its_option() -> None:
    game, table = load_game("connect_four"), table_of("connect_four")
    column = table.course(game).state.decision.names[0]
    stands(table, column, "gone")
    for _ in range(2):
        choose(table, column)
        further = table.next_by_itself(game)
        assert isinstance(further, Chose)
        take(table, further)
    choose(table, column)  # the column is full
    assert table.next_by_itself(game) == events.StoodDown(0)
    take(table, events.StoodDown(0))
    assert table.next_by_itself(game) is None


def test_undo_ends_standing_answers() -> None:
    game, table = load_game("pig"), table_of("pig", undo="free")
    stands(table, "hold", "gone")
    take(table, *table.undo(game, 0, frozenset({0})))
    assert not table.standing and table.next_by_itself(game) is None


def test_standing_answers_by_forms(client: TestClient) -> None:
    table = new_table(client, "pig", "me", "link", name="Ann")
    guest = other(client)
    guest.post(links_of(client, table)[1], data={"name": "Bob"})
    mine, theirs = f"/t/{table}/s/0", f"/t/{table}/s/1"
    page = client.get(mine).text
    hold = re.findall(r'<option value="(\d)"[^>]*>hold', page)[0]
    client.post(f"{mine}/stand", data={**fields_of(client, mine), "option": hold, "until": "gone"})
    assert "You keep choosing “hold”" in client.get(mine).text
    assert "keep choosing “" not in guest.get(theirs).text
    guest.post(f"{theirs}/choose", data={**fields_of(guest, theirs), "option": hold})
    live = live_of(client, table)
    assert live.table.player(live.game) == 1, "the answer of the first seat was given by itself"
    client.post(f"{mine}/stand-down", data=fields_of(client, mine))
    assert "keep choosing “" not in client.get(mine).text


def test_reminders_and_terms_are_shown(client: TestClient) -> None:
    table = new_table(client, "pig", "me", "link", name="Ann", limit="3", unit="days", late="bot")
    guest = other(client)
    guest.post(links_of(client, table)[1], data={"name": "Bob"})
    mine, theirs = f"/t/{table}/s/0", f"/t/{table}/s/1"
    assert live_of(client, table).table.created.terms.limit == 3 * 1440
    assert "Ann has time until" in guest.get(theirs).text
    assert "Remind Ann" in guest.get(theirs).text
    guest.post(f"{theirs}/nudge", data=fields_of(guest, theirs))
    assert "Bob reminds you" in client.get(mine).text
    page = guest.get(theirs).text
    assert "Ann was reminded:" in page and "Remind Ann" not in page
    live_of(client, table).table.nudged_at[0] -= NUDGE_AGAIN  # an hour has passed
    assert "Remind Ann" in guest.get(theirs).text
    assert "your turn" in client.get("/").text and "Ann decides" in guest.get("/").text


def test_spectators_see_choices_late(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "me", delay="2")
    watcher = other(client)
    watcher.post(links_of(client, table)[2])
    watch = f"/t/{table}/w"
    for step in range(3):
        seat = f"/t/{table}/s/{step % 2}"
        client.post(f"{seat}/choose", data={**fields_of(client, seat), "option": str(step)})
    page = watcher.get(watch).text
    assert "column 1" in page and "column 2" not in page and "column 3" not in page
    assert "column 3" in client.get(f"/t/{table}/s/0").text
    for path in ("/log", "/replay?step=3", "/score"):
        assert "column 3" not in watcher.get(watch + path).text
    live = live_of(client, table)
    while not live.table.course(live.game).state.over:
        seat = f"/t/{table}/s/{live.table.player(live.game)}"
        client.post(f"{seat}/choose", data={**fields_of(client, seat), "option": "0"})
    assert "The match is over" in watcher.get(watch).text


def as_host(client: TestClient, table: str, **fields: str) -> None:
    token = re.findall(r'name="form" value="([^"]*)"', client.get(f"/t/{table}/host").text)[0]
    answer = client.post(f"/t/{table}/host", data={"form": token, **fields})
    assert answer.status_code == 200


def test_an_empty_seat_goes_to_a_person_or_a_bot(client: TestClient) -> None:
    table = new_table(client, "pig", "me", "link", name="Ann")
    guest, third = other(client), other(client)
    assert "begins when all seats are taken" in client.get(f"/t/{table}/s/0").text
    guest.post(links_of(client, table)[1], data={"name": "Bob"})
    mine, theirs = f"/t/{table}/s/0", f"/t/{table}/s/1"
    client.post(f"{mine}/choose", data={**fields_of(client, mine), "option": "1"})
    guest.post(f"{theirs}/leave", data={"form": fields_of(guest, theirs)["form"]})
    live = live_of(client, table)
    assert guest.get(theirs).status_code == 403 and live.table.is_waiting
    assert "goes on when all seats are taken" in client.get(mine).text
    third.post(links_of(client, table)[1], data={"name": "Cy"})
    assert third.get(theirs).status_code == 200 and "Cy decides" in client.get("/").text
    as_host(client, table, do="seat", seat="1", who="bot:random")
    until(lambda: live.table.player(live.game) == 0)
    assert live.table.seats[1].bot == "random"


def test_the_list_for_a_seat_that_is_sent_unchanged_changes_nothing(client: TestClient) -> None:
    table = new_table(client, "pig", "me", "link", "bot:random", "open")
    other(client).post(links_of(client, table)[1], data={"name": "Bob"})
    live = live_of(client, table)
    before = list(live.table.seats)
    page = client.get(f"/t/{table}/host").text
    chosen = re.findall(r'<option value="([^"]*)" selected>', page)
    assert chosen == ["same", "same", "bot:random", "open"]
    for seat, who in enumerate(chosen):
        as_host(client, table, do="seat", seat=str(seat), who=who)
    assert live.table.seats == before and not live.table.links


@pytest.mark.parametrize("who", ["bot:random", "open", "link"])
def test_a_replaced_person_holds_the_seat_no_longer(client: TestClient, who: str) -> None:
    table = new_table(client, "pig", "link", "me")
    guest = other(client)
    link = links_of(client, table)[0]
    guest.post(link, data={"name": "Bob"})
    seat = f"/t/{table}/s/0"
    form = {**fields_of(guest, seat), "option": "0"}
    as_host(client, table, do="pause")  # the bot waits
    as_host(client, table, do="seat", seat="0", who=who)
    as_host(client, table, do="resume")
    assert guest.get(seat).status_code == 403
    assert guest.post(f"{seat}/choose", data=form).status_code == 403
    assert other(client).post(link).status_code == 404, "the old link is no key any more"


def test_a_pause_stops_choices_until_the_host_goes_on(client: TestClient) -> None:
    table = new_table(client, "pig", "me", "me")
    seat = f"/t/{table}/s/0"
    fields = {**fields_of(client, seat), "option": "1"}
    as_host(client, table, do="pause")
    assert "The match is paused" in client.get(seat).text
    answer = client.post(f"{seat}/choose", data=fields)
    assert answer.status_code == 400 and "the match is paused" in answer.text
    as_host(client, table, do="resume")
    assert client.post(f"{seat}/choose", data=fields).status_code == 200


def test_a_form_that_does_not_say_what_to_do_changes_no_seat(client: TestClient) -> None:
    table = new_table(client, "pig", "me", "me")
    as_host(client, table, do="pause")  # the same form, sent with its button
    token = fields_of(client, f"/t/{table}/host")["form"]
    for fields in ({}, {"do": "leave"}, {"do": "", "seat": "1"}):
        answer = client.post(f"/t/{table}/host", data={"form": token, **fields})
        assert answer.status_code == 400, fields
    assert [seat.who for seat in live_of(client, table).table.seats] == ["person", "person"]


def test_notes_are_own_until_the_end_and_then_for_all(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "link", notes="yes")
    guest = other(client)
    guest.post(links_of(client, table)[1], data={"name": "Bob"})
    seats = ((client, f"/t/{table}/s/0"), (guest, f"/t/{table}/s/1"))
    for device, seat in seats:
        device.post(f"{seat}/note", data={**fields_of(device, seat), "text": f"from {seat[-1]}"})
        assert f'href="{seat}/notes"' in device.get(seat).text
    for (device, seat), own in zip(seats, ("from 0", "from 1"), strict=True):
        assert re.findall("from [01]", device.get(f"{seat}/notes").text) == [own]
    for step in range(7):
        device, seat = seats[step % 2]
        device.post(f"{seat}/choose", data={**fields_of(device, seat), "option": str(step % 2)})
    for device, seat in seats:
        assert re.findall("from [01]", device.get(f"{seat}/notes").text) == ["from 0", "from 1"]
    address = site_of(client).hub.store.address
    assert [*admin(address, ["notes", "connect_four"])] == [
        f"table {table}, seat {seat + 1}, step 0: from {seat}" for seat in range(2)
    ]
    with pytest.raises(AdminError, match="no table plays `chess`"):
        list(admin(address, ["notes", "chess"]))


def test_statistics_count_things_by_their_words_and_actions_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "point.game").write_text(POINTING)
    with server(tmp_path / "data", str(tmp_path / "point.game")) as client:
        table = new_table(client, "point", "me", "me", name="Ann")
        for step in range(4):
            seat = f"/t/{table}/s/{step // 2}"
            client.post(f"{seat}/choose", data={**fields_of(client, seat), "option": "0"})
        page = client.get(f"/t/{table}/s/0/statistics").text
        for words in ("Ann", "greet"):
            assert f'<th scope="row">{words}</th><td>1</td><td>1</td>' in page, words


def test_a_rematch_rotates_seats_and_statistics_count_it(client: TestClient) -> None:
    table = new_table(client, "connect_four", "me", "link", name="Ann")
    guest = other(client)
    guest.post(links_of(client, table)[1], data={"name": "Bob"})
    live = live_of(client, table)
    assert client.get(f"/t/{table}/s/0/statistics").status_code == 403
    devices = (client, guest)
    for step in range(7):
        seat = f"/t/{table}/s/{step % 2}"
        device = devices[step % 2]
        device.post(f"{seat}/choose", data={**fields_of(device, seat), "option": str(step % 2)})
    assert live.table.course(live.game).state.over
    page = client.get(f"/t/{table}/s/0/statistics").text
    assert re.search(r'<th scope="row">Ann</th><td>4</td>', page)
    assert re.search(r'<th scope="row">Bob</th><td>3</td>', page)
    site = site_of(client)
    lines = [
        *admin(site.hub.store.address, ["records", "connect_four"], lambda _: site.hub.library)
    ]
    (record,) = parse_records("\n".join(lines), "records")
    assert record.is_whole and "Ann" not in "".join(lines)
    assert replay(record, load_game("connect_four")).state.winners == (0,)
    answer = guest.post(
        f"/t/{table}/s/1/rematch", data=fields_of(guest, f"/t/{table}/s/1"), follow_redirects=False
    )
    new = answer.headers["location"]
    assert new.endswith("/s/0"), "the seats are rotated"
    assert "Join the rematch" in client.get(f"/t/{table}/s/0").text
    answer = client.post(
        f"/t/{table}/s/0/rematch", data=fields_of(client, f"/t/{table}/s/0"), follow_redirects=False
    )
    assert answer.headers["location"] == new.replace("/s/0", "/s/1")
    again = live_of(client, new.split("/")[2])
    assert again.table.names == ["Bob", "Ann"] and not again.table.is_waiting
    assert again.table.created.former == table
