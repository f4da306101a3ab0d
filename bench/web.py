"""The web table under load: many tables with different games, an open page for each seat, a choice every few seconds.

`python -m bench.web` starts its own server and plays on the same machine. Its figures depend on everything that
runs on the machine, so name the machine with them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from urllib.parse import urlencode
from zlib import decompressobj

import attrs

MIX = (
    ("love_letter", 4, 40),
    ("connect_four", 2, 20),
    ("ginkgopolis", 4, 20),
    ("colonial", 4, 10),
    ("through_the_ages", 3, 10),
    ("endeavor", 4, 0),
    ("equilibris", 3, 0),
)
"""The games with their players, and the percentage of the tables that play each game."""
EVERY = 5.0
BOTS = 0.1
"""The share of tables that have a bot at one seat."""
_RUN = "from rulewright.cli.entry import main; main()"


@attrs.define
class Measured:
    """The figures of a run; times in seconds."""

    shown: list[float] = attrs.field(factory=list)
    """The times from each choice until the page of another seat shows it."""
    answered: list[float] = attrs.field(factory=list)
    refused: Counter[str] = attrs.field(factory=Counter)
    """The number of refused choices, by message."""
    sent: int = 0
    """The bytes received by streams."""
    is_on: bool = False


@attrs.define
class Connection:
    """A connection for requests, one after another."""

    port: int
    cookies: dict[str, str] = attrs.field(factory=dict)
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def ask(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """The answer to a request, which is repeated once if an idle connection was closed."""
        try:
            return await self._exchange(method, path, fields)
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.close()
            return await self._exchange(method, path, fields)

    async def _exchange(
        self, method: str, path: str, fields: dict[str, str] | None
    ) -> tuple[int, dict[str, str], bytes]:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                "127.0.0.1", self.port, limit=2**22
            )
        assert self._reader is not None
        self._writer.write(_request(method, path, self.cookies, fields))
        await self._writer.drain()
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {}
        for line in head[1:-2]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                word, _, said = value.partition(";")[0].partition("=")
                self.cookies[word] = said
            headers[name.lower()] = value
        body = await self._reader.readexactly(int(headers.get("content-length", 0)))
        return int(head[0].split()[1]), headers, body

    async def close(self) -> None:
        """Close it."""
        if self._writer is not None:
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()
            self._writer = None


def _request(
    method: str,
    path: str,
    cookies: dict[str, str],
    fields: dict[str, str] | None,
    packing: str = "identity",
) -> bytes:
    body = urlencode(fields or {}).encode()
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    kind = "Content-Type: application/x-www-form-urlencoded\r\n" if body else ""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nAccept-Encoding: {packing}\r\n"
        f"Cookie: {cookie}\r\n{kind}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


@attrs.define(eq=False)
class Table:
    """A table with the pages of its seats."""

    game: str
    seats: int
    has_bot: bool
    connection: Connection
    random: Random
    measured: Measured
    id: str = ""
    tokens: list[str] = attrs.field(factory=list)
    numbers: list[str] = attrs.field(factory=list)
    """For each page, the event that it shows."""
    decision: int = 0
    player: int = -1
    options: dict[int, int] = attrs.field(factory=dict)
    """The number of options on the page of each seat."""
    heard: dict[int, int] = attrs.field(factory=dict)
    """The decision that the page of each seat shows."""
    chosen: tuple[int, int, float] = (-1, -1, 0.0)
    """The seat that chose last, the decision that it answered, and when."""

    @property
    def persons(self) -> int:
        """The number of seats with a page."""
        return self.seats - self.has_bot

    async def create(self) -> None:
        """Create the table and read the first page of each seat."""
        fields = {"players": str(self.seats), "chat": "yes", "hints": "yes", "name": ""}
        fields |= {f"seat{seat}": "me" for seat in range(self.seats)}
        if self.has_bot:
            fields[f"seat{self.seats - 1}"] = "bot:easy"
        status, headers, body = await self.connection.ask("POST", f"/new/{self.game}", fields)
        assert status == 303, (self.game, status, body[:300])
        self.id = headers["location"].removeprefix("/t/")
        for seat in range(self.persons):
            _, _, page = await self.connection.ask("GET", f"/t/{self.id}/s/{seat}")
            text = page.decode()
            self.tokens.append(re.findall(r'name="form" value="([^"]*)"', text)[0])
            self.numbers += re.findall(r'data-number="(\d+)"', text)
            found = re.search(r'data-decision="(\d+)"', text)
            assert found is not None
            self.decision = self.heard[seat] = int(found[1])
            self._note_options(seat, text)
            if 'name="decision"' in text:
                self.player = seat

    def _note_options(self, seat: int, text: str) -> None:
        self.options[seat] = len(set(re.findall(r'name="option" value="(\d+)"', text)))

    async def follow(self, seat: int) -> None:
        """The stream of a page, until it is cancelled."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.connection.port, limit=2**23
        )
        try:
            path = f"/t/{self.id}/s/{seat}/events?number={self.numbers[seat]}"
            writer.write(_request("GET", path, self.connection.cookies, None, "gzip"))
            await writer.drain()
            await reader.readuntil(b"\r\n\r\n")
            async for data in self._events(reader):
                self._note_update(seat, data)
        finally:
            writer.close()

    async def _events(self, reader: asyncio.StreamReader) -> AsyncIterator[str]:
        """The data of events that arrive in compressed chunks."""
        unpacker, rest = decompressobj(16 + 15), b""
        while size := int(await reader.readline(), 16):
            chunk = (await reader.readexactly(size + 2))[:-2]
            if self.measured.is_on:
                self.measured.sent += size
            *lines, rest = (rest + unpacker.decompress(chunk)).split(b"\n")
            for line in lines:
                if line.startswith(b"data: "):
                    yield line[6:].decode()

    def _note_update(self, seat: int, text: str) -> None:
        data = json.loads(text)
        decision = data.get("decision", self.decision)
        sections = data.get("sections", {})
        if "question" in sections:
            self._note_options(seat, "".join(sections.values()))
        by, answered, at = self.chosen
        if self.measured.is_on and seat != by and self.heard.get(seat, 0) <= answered < decision:
            self.measured.shown.append(perf_counter() - at)
        self.heard[seat] = decision
        if decision >= self.decision:
            self.decision, self.player = decision, data.get("player", -1)

    async def play(self, until: float, every: float) -> None:
        """Choose every few seconds."""
        await asyncio.sleep(self.random.random() * every)
        while perf_counter() < until:
            begun = perf_counter()
            await self._choose()
            await asyncio.sleep(max(0.0, begun + every - perf_counter()))

    async def _choose(self) -> None:
        seat = self.player
        decision = self.heard.get(seat, 0)  # each seat counts the decisions that it knows
        if not 0 <= seat < self.persons or (seat, decision) == self.chosen[:2]:
            return  # nobody chooses again before a page shows the next decision
        place = self.random.randrange(max(1, self.options.get(seat, 1)))
        fields = {"form": self.tokens[seat], "decision": str(decision), "option": str(place)}
        begun = perf_counter()
        self.chosen = seat, decision, begun
        status, _, body = await self.connection.ask("POST", f"/t/{self.id}/s/{seat}/choose", fields)
        if self.measured.is_on:
            self.measured.answered.append(perf_counter() - begun)
            if status != 200:
                self.measured.refused[f"{self.game}: {body.decode()[:200]}"] += 1


def _games(tables: int, only: str) -> Iterator[tuple[str, int]]:
    for game, players, part in MIX:
        share = part if not only else 100 * (game == only)
        yield from ((game, players) for _ in range(tables * share // 100))


async def load(
    port: int, games: Sequence[tuple[str, int]], seconds: float, every: float, pids: Sequence[int]
) -> dict[str, object]:
    """Create the tables, open the pages, play, and return the figures."""
    measured, random = Measured(), Random(1)
    found = [
        Table(
            game,
            seats,
            place % round(1 / BOTS) == 0,
            Connection(port),
            Random(random.random()),
            measured,
        )
        for place, (game, seats) in enumerate(games)
    ]
    slots = asyncio.Semaphore(8)

    async def create(table: Table) -> None:
        async with slots:
            await table.create()

    firsts = {table.game: table for table in found}.values()
    await asyncio.gather(*(create(table) for table in firsts))
    alone = sum(map(_memory, pids))  # when all games are in memory
    begun = perf_counter()
    await asyncio.gather(*(create(table) for table in found if table not in firsts))
    created = perf_counter() - begun
    streams = [
        asyncio.create_task(table.follow(seat)) for table in found for seat in range(table.persons)
    ]
    await asyncio.sleep(3)
    until = perf_counter() + 3 * every + seconds
    playing = [asyncio.create_task(table.play(until, every)) for table in found]
    await asyncio.sleep(3 * every)  # by now every part has run once
    before, own, measured.is_on = _cpu_seconds(pids), process_time(), True
    await asyncio.sleep(seconds)
    measured.is_on, after, own = False, _cpu_seconds(pids), process_time() - own
    memory = [_memory(pid) for pid in pids]
    lost = sum(task.done() for task in streams)
    for task in playing:
        if task.done():
            task.result()  # raises its exception
    for task in (*playing, *streams):
        task.cancel()
    await asyncio.gather(*playing, *streams, return_exceptions=True)
    for table in found:
        await table.connection.close()
    choices = max(1, len(measured.answered))
    return {
        "tables": len(found),
        "streams": len(streams),
        "streams_lost": lost,
        "seconds_to_create": round(created, 1),
        "choices_a_second": round(choices / seconds, 1),
        "refused": measured.refused,
        "answer_ms": _shares(measured.answered),
        "other_page_ms": _shares(measured.shown),
        "cpu_of_a_core": round((after - before) / seconds, 2),
        "cpu_of_a_core_for_this_load": round(own / seconds, 2),
        "cpu_ms_a_choice": round((after - before) / choices * 1000, 2),
        "kB_a_choice_and_seat": round(
            measured.sent / choices / 1000 / (len(streams) / len(found)), 2
        ),
        "memory_MB": memory,
        "MB_a_table_and_process": round(
            (sum(memory) - alone) / len(pids) / max(1, len(found) - len(firsts)), 2
        ),
    }


def _shares(found: list[float]) -> dict[str, float]:
    ordered = sorted(found) or [0.0]
    return {
        f"p{share}": round(ordered[min(len(ordered) - 1, len(ordered) * share // 100)] * 1000, 1)
        for share in (50, 95, 99)
    }


def _cpu_seconds(pids: Sequence[int]) -> float:
    """The CPU time of processes, in seconds."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return round(int(found[1]) / 1000, 1) if found else 0.0


def _children(pid: int) -> list[int]:
    """The processes of a server that listen on its port. Helper processes of Python and processes of bots do not
    count."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            command = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"spawn_main" in command:
                found.append(int(child))
    return found


def main() -> None:
    """Run the benchmark with these arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument(
        "--every", type=float, default=EVERY, help="seconds between the choices at a table"
    )
    parser.add_argument("--jobs", type=int, default=2, help="server processes")
    parser.add_argument("--database", default="")
    parser.add_argument(
        "--game", default="", choices=[game for game, _, _ in MIX], help="only this"
    )
    asked = parser.parse_args()
    games = [*_games(asked.tables, asked.game)]
    with tempfile.TemporaryDirectory() as folder:
        words = [
            "serve",
            *(game for game, _, _ in MIX),
            "--port",
            "0",
            "--data",
            folder,
            "--rate",
            "1000000",
        ]
        words += [
            "--jobs",
            str(asked.jobs),
            *(["--database", asked.database] if asked.database else []),
        ]
        process = subprocess.Popen(
            [sys.executable, "-c", _RUN, *words], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        try:
            found = re.search(r"http://localhost:(\d+)", process.stdout.readline())
            assert found is not None, "the server does not start"
            port = int(found[1])
            asyncio.run(_ready(port))
            pids = _children(process.pid) if asked.jobs > 1 else [process.pid]
            row = asyncio.run(load(port, games, asked.seconds, asked.every, pids))
            print(json.dumps(row, indent=1))
        finally:
            process.terminate()
            process.wait(timeout=30)
            process.stdout.close()


async def _ready(port: int) -> None:
    for _ in range(600):
        try:
            connection = Connection(port)
            await connection.ask("GET", "/")
            await connection.close()
        except OSError:
            await asyncio.sleep(0.1)
        else:
            return
    raise AssertionError("the server does not answer")


if __name__ == "__main__":
    main()
