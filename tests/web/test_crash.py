"""`kill -9` in the middle of busy tables: no answered choice is lost, none counts twice, all tables are unchanged.

Once each in `make test`, a hundred times in `make deep`: at any moment, before a commit, and between commit and answer.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import attrs
import httpx2 as httpx
import pytest

from rulewright.interpreter.matches.game import load_game
from rulewright.web.storage.store import Listed, Rules, StorageError, Store, TakenError
from rulewright.web.tables.events import Chose, from_text
from rulewright.web.tables.table import Table
from tests.waiting import PATIENCE
from tests.web.tables import RUN, Process, links_of, new_table

GAMES = ("connect_four", "love_letter")
TABLES = 12
_CRASH = "import sys; sys.path.insert(0, {root!r}); from tests.web.crashing import main; main({when!r}, {number})"
ROOT = str(Path(__file__).parents[2])


@attrs.define
class Player:
    """Plays all seats of one table over the protocol, and records the answered choices."""

    table: str
    tokens: list[str]
    random: Random
    answered: dict[tuple[int, int], str] = attrs.field(factory=dict)
    is_over: bool = False

    async def play(self, client: httpx.AsyncClient) -> None:
        """Choose until the match is over or the server has ended."""
        with suppress(httpx.TransportError):
            while not self.is_over:
                await self._step(client)

    async def _step(self, client: httpx.AsyncClient) -> None:
        status = await self._ask(client, 0, ask="status")
        if status["over"]:
            self.is_over = True
            return
        seat, decision = int(status["player"]), int(status["decision"])
        asked = await self._ask(client, seat, ask="options", viewer=seat)
        if (
            asked.get("answer") != "options"
            or asked["decision"] != decision
            or not asked["options"]
        ):
            return
        option = self.random.choice(asked["options"])["name"]
        chosen = await self._ask(client, seat, ask="choose", decision=decision, option=option)
        if chosen.get("answer") == "chosen":
            assert self.answered.setdefault((seat, decision), option) == option
        else:
            assert chosen.get("code") == "stale", chosen

    async def _ask(self, client: httpx.AsyncClient, seat: int, **asked: object) -> dict[str, Any]:
        answer = await client.post(
            f"/api/t/{self.table}",
            content=json.dumps({"match": self.table, **asked}),
            headers={"Authorization": f"Bearer {self.tokens[seat]}"},
        )
        assert answer.headers["content-type"] == "application/json", answer.text
        found: dict[str, Any] = answer.json()
        return found


async def _busy(address: str, players: list[Player]) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
        await asyncio.gather(*(player.play(client) for player in players))


def _new_players(address: str, random: Random) -> list[Player]:
    found = []
    for number in range(TABLES):
        with httpx.Client(base_url=address, timeout=PATIENCE) as client:
            table = new_table(client, GAMES[number % 2], "me", "me")
            links = links_of(client, table)
            tokens = [link.rpartition("/")[2] for link in links[:2]]
            found.append(Player(table, tokens, Random(random.random())))
    return found


def _check(data: Path, players: list[Player]) -> int:
    """All answered choices are stored once, and every table can be replayed from its events."""
    store = Store(f"sqlite:///{data / 'tables.sqlite'}")
    games = {name: load_game(name) for name in GAMES}
    choices = 0
    try:
        for player in players:
            rows = store.read(player.table)
            events = [from_text(row.data) for row in rows]
            chosen = {one.answers: one.steps[0] for one in events if isinstance(one, Chose)}
            many = Counter(one.answers for one in events if isinstance(one, Chose))
            assert not [number for number, count in many.items() if count > 1]
            table = Table.of(
                player.table, ((row.number, row.at, from_text(row.data)) for row in rows)
            )
            course = table.course(games[table.created.game])
            for (seat, decision), option in player.answered.items():
                assert course.answer(seat, decision) == option, (player.table, decision)
            choices += len(chosen)
    finally:
        store.close()
    return choices


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [3, pytest.param(100, marks=pytest.mark.deep)])
def test_no_answered_choice_is_lost(tmp_path: Path, rounds: int) -> None:
    data, random = tmp_path / "data", Random(rounds)
    data.mkdir()
    players: list[Player] = []

    def start_server(run: str = RUN) -> Process:
        return Process(data, *GAMES, run=run, more=("--rate", "100000"))

    answered = 0
    for number in range(rounds):
        if sum(not player.is_over for player in players) < TABLES // 2:
            with start_server() as process:
                players += _new_players(process.address, random)
        when = ("any time", "before", "between")[number % 3]
        if when == "any time":
            with start_server() as process:
                asyncio.run(
                    _kill_when_busy(
                        process, players, random.randrange(5, 60), random.uniform(0, 0.05)
                    )
                )
        else:
            run = _CRASH.format(root=ROOT, when=when, number=random.randrange(5, 40))
            with start_server(run) as process:  # it ends itself during matches
                asyncio.run(_busy(process.address, players))
        answered = sum(len(player.answered) for player in players)
    assert answered > 10 * rounds
    assert _check(data, players) >= answered


async def _kill_when_busy(
    process: Process, players: list[Player], choices: int, pause: float
) -> None:
    """Kill the server while it is busy: a moment after this many answered choices."""

    def answer_count() -> int:
        return sum(len(player.answered) for player in players)

    async def kill() -> None:
        wanted = answer_count() + choices
        while answer_count() < wanted and not all(player.is_over for player in players):
            await asyncio.sleep(0.001)
        await asyncio.sleep(pause)
        process.kill()

    await asyncio.gather(kill(), _busy(process.address, players))


def test_a_damaged_row_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with ExitStack() as opened:
        process = opened.enter_context(Process(data, "connect_four"))
        with httpx.Client(base_url=process.address, timeout=PATIENCE) as client:
            bad, good = (new_table(client, "connect_four", "me", "me") for _ in range(2))
            process.stop()
            base = sqlite3.connect(data / "tables.sqlite")
            with pytest.raises(sqlite3.IntegrityError, match="events are never changed"):
                base.execute(
                    "UPDATE event SET data = 'x' WHERE table_id = ? AND number = 2", (bad,)
                )
            base.execute("DROP TRIGGER event_stays")
            base.execute("UPDATE event SET data = 'x' WHERE table_id = ? AND number = 2", (bad,))
            base.commit()
            base.close()
            process = opened.enter_context(Process(data, "connect_four"))
            client.base_url = process.address
            page = client.get(f"/t/{bad}")
            assert page.status_code == 500 and "is damaged" in page.text
            assert client.get(f"/t/{good}").status_code == 200
            assert client.get("/").status_code == 200


def test_a_full_disk_refuses_and_keeps_what_was_there(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    assert store.setting("name", lambda: "value") == "value"
    with store._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError, match="cannot be written"):
        store.keep_rules(Rules("d", "g", "m", {"m": "x" * 100_000})).result()
    assert store.setting("name", lambda: "other") == "value"
    store.close()


def test_two_stores_on_one_file_settle_by_the_number(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    one, other = Store(address), Store(address)
    one.create(Listed("t", "T", 1, 1, False), ["first"]).result()
    taken = 0
    for number in range(2, 40):
        results = [store.append("t", number, 1, [store.address]) for store in (one, other)]
        taken += sum(isinstance(result.exception(), TakenError) for result in results)
    assert taken == 38
    assert [row.number for row in other.read("t")] == list(range(1, 40))
    one.close()
    other.close()


_WITH_BOTS = """\
import asyncio, os, signal
from rulewright.web.serving.bots import Bots

async def main():
    assert await Bots(1)._run(os.getpid) != os.getpid()
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.mark.slow
def test_processes_of_bots_end_with_their_server() -> None:
    # The other end of the pipe is closed when the last process that uses it has ended.
    with subprocess.Popen([sys.executable, "-c", _WITH_BOTS], stdout=subprocess.PIPE) as process:
        process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL
