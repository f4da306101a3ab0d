"""The bytes sent to a seat are equal for positions that it cannot tell apart: pages, streams, answers.

In all shipped games with hidden information. With the view of a viewer who sees everything, the same test fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from starlette.testclient import TestClient

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.view import ALL_SEEING
from rulewright.web.pages.match import parts_of
from rulewright.web.pages.plan import try_choices
from rulewright.web.pages.seen import Seen
from rulewright.web.serving.hub import now_in_ms
from rulewright.web.serving.streams import Rendered, Sent, message
from tests.games.variants import SHIPPED, game_named
from tests.interpreter.leaking import HARMLESS
from tests.web.tables import fields_of, links_of, live_of, new_table, other, server, site_of

LARGE = ("colonial", "through_the_ages", "ginkgopolis", "endeavor", "equilibris")
PAGES = (
    "",
    "/log",
    "/score",
    "/why",
    "/replay",
    "/look?at={name}",
    "/look?at={card}",
    "/why?at={option}",
    "/hot",
    "/record",
    "/plan?seed=5",
)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path / "data", "love_letter") as found:
        yield found


@contextmanager
def _in_place(client: TestClient, table: str, state: State) -> Iterator[None]:
    """The table as if it had reached this position."""
    live = live_of(client, table)
    states = live.table.course(live.game).match.states
    true = states[-1]
    states[-1] = state
    site_of(client).streams.forget(live)
    live.table.course(live.game).match._logs.clear()
    try:
        yield
    finally:
        states[-1] = true
        site_of(client).streams.forget(live)
        live.table.course(live.game).match._logs.clear()


def _like(true: State, other: State) -> State:
    """The other position, reached in the same way as the true one."""
    return State(true.terms, other.cells, true.counter, true._origin, true.previous)


def _messages_to(client: TestClient, table: str, seat: int, words: dict[str, str]) -> list[str]:
    """All messages that a seat can get."""
    live = live_of(client, table)
    base = f"/t/{table}/s/{seat}" if seat >= 0 else f"/t/{table}/w"
    found = []
    for page in PAGES:
        answer = client.get(base + page.format_map(words))
        found.append(f"{page} {answer.status_code} {answer.text}")
    site = site_of(client)
    seen = Seen(live.table, live.game, seat, site.secrets.form(live.table, seat), base)
    parts = parts_of(seen)
    found.append(message(Rendered(live.table.number, parts), Sent()))
    for asked in ("status", "view", "scene", "options", "score", "events", "why"):
        request = {"ask": asked, "match": table, "viewer": seat if seat >= 0 else "everybody"}
        found.append(client.post(f"/api/t/{table}", content=json.dumps(request)).text)
    fields = {**fields_of(client, base), "decision": "1", "option": "999"}
    if seat >= 0:
        found.append(client.post(f"{base}/choose", data=fields).text)
    return found


def _difference(one: list[str], other: list[str]) -> str:
    for mine, theirs in zip(one, other, strict=True):
        if mine != theirs:
            at = next(at for at, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b)
            return f"{mine[:30]}: …{mine[max(0, at - 100) : at + 60]}… and …{theirs[max(0, at - 100) : at + 60]}…"
    return ""


def _play_table(client: TestClient, name: str, seed: int, steps: int) -> str:
    """A table of a game after some random choices."""
    players = game_named(name).variant().players
    table = new_table(client, name, *["me"] * players)
    random = Random(f"{name} {seed}")
    live = live_of(client, table)
    for _ in range(steps):
        seat = live.table.player(live.game)
        if seat < 0:
            break
        base = f"/t/{table}/s/{seat}"
        text = client.get(base).text
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))
        options = re.findall(r'name="option" value="(\d+)"', text)
        client.post(f"{base}/choose", data={**fields, "option": random.choice(options)})
    return table


_OPEN = {"breakthrough", "connect_four", "kalah", "pig", "reversi", "tic_tac_toe"}
_HIDING = [name for name in SHIPPED if name not in _OPEN]


@pytest.mark.parametrize("name", sorted(_OPEN))
def test_all_other_games_hide_nothing(name: str) -> None:
    game = game_named(name)
    assert not game.compiled(game.variant()).viewer.has_secrets


@pytest.mark.parametrize(
    ("name", "is_whole"),
    [
        *(
            pytest.param(name, True, marks=pytest.mark.slow)
            for name in _HIDING
            if name not in LARGE
        ),
        pytest.param("endeavor", False, marks=pytest.mark.slow),
        *(pytest.param(name, True, marks=pytest.mark.deep) for name in _HIDING if name in LARGE),
    ],
)
def test_messages_to_a_seat_depend_on_its_view_alone(
    tmp_path: Path, name: str, is_whole: bool
) -> None:
    """For the large games, `make test` checks one position, for the first and the last seat."""
    with server(tmp_path / "data", name) as client:
        looked_at = 0
        for seed, steps in enumerate((0, 1, 5, 9) if is_whole else (6,)):
            looked_at += _looked_at(client, name, seed, steps, is_whole)
        assert looked_at


def _looked_at(client: TestClient, name: str, seed: int, steps: int, is_whole: bool) -> bool:
    """Compare the messages in a position; it proves nothing if the match is over and everything is visible."""
    table = _play_table(client, name, seed, steps)
    live = live_of(client, table)
    state = live.table.course(live.game).state
    if state.over:
        return False
    seats = range(live.table.persons)
    for seat in seats if is_whole else sorted({seats[0], seats[-1]}):
        words = _words(state, seat)
        other = _like(state, state.sample(seat, seed))
        with _in_place(client, table, _like(state, state)):
            mine = _messages_to(client, table, seat, words)
        with _in_place(client, table, other):
            theirs = _messages_to(client, table, seat, words)
        assert mine == theirs, _difference(mine, theirs)
    return True


def test_with_the_view_of_who_sees_everything_it_fails(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Seen, "viewer", property(lambda self: ALL_SEEING))
    table = _play_table(client, "love_letter", 1, 5)
    live = live_of(client, table)
    state = live.table.course(live.game).state
    found = set()
    for seat in range(2):
        words = _words(state, seat)
        for seed in range(4):
            with _in_place(client, table, _like(state, state.sample(seat, seed))):
                found.add((seat, tuple(_messages_to(client, table, seat, words))))
    assert len(found) > 2


def _words(state: State, seat: int) -> dict[str, str]:
    """Names for questions: a player, a card, an option."""
    program = state.compiled.program
    card = next((row for kind in program.pieces for row in kind.rows), "nothing")
    option = state.decision.names[0] if not state.over and state.player == seat else "pass"
    return {"name": state.players[0], "card": card, "option": option}


def test_planned_positions_use_invented_secrets(client: TestClient) -> None:
    """A position for trying out contains neither the true hidden cards nor the true future chance."""
    table = _play_table(client, "love_letter", 2, 0)
    live = live_of(client, table)
    state = live.table.course(live.game).state
    seat = state.player
    true = state.take(state.option_ids[0])
    ends = {try_choices(state, seat, seed, [0]).to_bytes() for seed in range(12)}
    assert len(ends) > 1 and true.to_bytes() not in ends
    page = client.get(f"/t/{table}/s/{seat}/plan?seed=3&do=0")
    assert page.status_code == 200 and "made up" in page.text
    assert client.get(f"/t/{table}/s/{1 - seat}/plan", follow_redirects=False).status_code == 303


@pytest.mark.parametrize("delay", ["0", "1"])
def test_others_cannot_count_the_parts_of_a_secret_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delay: str
) -> None:
    """Two tables differ only in secret choices, made in one part or in two; they are complete at the same times.

    Others get the same messages, with the same numbers of decisions and steps, questions and times.
    """
    begun = now_in_ms()
    now = [begun]
    monkeypatch.setattr("rulewright.web.serving.lobby.randbelow", lambda seeds: 7)
    monkeypatch.setattr("rulewright.web.serving.lobby.new_id", lambda: "a")
    monkeypatch.setattr("rulewright.web.storage.store.Store.secret", lambda self: b"a")
    monkeypatch.setattr("rulewright.web.serving.hub.now_in_ms", lambda: now[0])
    rules = tmp_path / "bids.game"
    rules.write_text(HARMLESS["in how many parts somebody chooses together"])
    terms = {"limit": "9", "unit": "days", "notes": "yes", "delay": delay}

    def messages_after(folder: str, *chosen: tuple[int, ...]) -> list[tuple[int, int, list[str]]]:
        """All messages to others after each turn in which one player makes these choices."""
        now[0] = begun - 3_600_000
        found = []
        with server(tmp_path / folder, str(rules)) as host:
            table = new_table(host, "bids", *["link"] * 3, **terms)
            seats = _sat_down(host, table)
            for turn, places in enumerate(chosen):
                player = turn % 3
                base = f"/t/{table}/s/{player}"
                for number, place in enumerate(places, start=1 - len(places)):
                    now[0] = begun + 3_600_000 * turn + 600_000 * number
                    fields = {**fields_of(seats[player], base), "option": str(place)}
                    assert seats[player].post(f"{base}/choose", data=fields).status_code == 200
                words = {"name": "player 2", "card": "nothing", "option": "0"}
                found += [
                    (turn, seat, _messages_to(seats[seat], table, seat, words))
                    for seat in (-1, 1, 2)
                    if seat != player
                ]
        return found

    one = messages_after("one", (1, 1), (0,), (1, 0), (2,), (1, 0))
    also = messages_after("also", (2,), (0,), (1, 0), (1, 1), (1, 0))
    for (turn, seat, mine), (_, _, theirs) in zip(one, also, strict=True):
        assert mine == theirs, (turn, seat, _difference(mine, theirs))


def _sat_down(host: TestClient, table: str) -> list[TestClient]:
    """A device for each seat, and one that watches."""
    found = []
    for link in links_of(host, table)[:4]:
        found.append(other(host))
        found[-1].get(link)
        if len(found) < 4:
            found[-1].post(link, data={"name": ""})
    return found
