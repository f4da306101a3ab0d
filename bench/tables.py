"""How many tables one machine holds: a mix of games, a choice every some seconds each, a stream for every seat.

`python -m bench.tables --tables 200 --seconds 30` starts a server on loopback and plays. It tells how long it takes
from a choice to the page of another player, and what that costs. Both sides run on the same processors.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import attrs
import httpx2 as httpx

MIX = (
    "love_letter",
    "love_letter",
    "connect_four",
    "ginkgopolis",
    "love_letter",
    "connect_four",
    "love_letter",
    "ginkgopolis",
    "colonial",
    "through_the_ages",
)
"""Of ten tables: four of Love Letter, two each of Connect Four and Ginkgopolis, one each of the two largest."""
SEATS = {
    "love_letter": 4,
    "connect_four": 2,
    "ginkgopolis": 4,
    "colonial": 4,
    "through_the_ages": 3,
}
_TICKS = os.sysconf("SC_CLK_TCK")


@attrs.define
class Figures:
    """What was measured."""

    late: list[float] = attrs.field(factory=list)
    sent: int = 0
    choices: int = 0
    refused: int = 0


@attrs.define
class At:
    """A table that is played by one task, with a stream for each seat."""

    client: httpx.AsyncClient
    id: str
    seats: int
    figures: Figures
    fields: list[dict[str, str]]
    options: list[list[str]]
    chosen_at: float = 0.0
    moved: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def follow(self, seat: int) -> None:
        """The event stream of a seat, with the delay of each event."""
        base = f"/t/{self.id}/s/{seat}"
        page = await self.client.get(base)
        number = re.search(r'data-number="(\d+)"', page.text)
        self.read(seat, page.text)
        with suppress(httpx.TransportError):
            async with self.client.stream(
                "GET", f"{base}/events?number={number[1] if number else 0}", timeout=None
            ) as answer:
                async for line in answer.aiter_lines():
                    if not line.startswith("data:"):
                        continue
                    self.figures.sent += len(line)
                    if self.chosen_at:
                        self.figures.late.append(time.perf_counter() - self.chosen_at)
                    self.read(seat, line.replace('\\"', '"'))
                    self.moved.set()

    def read(self, seat: int, text: str) -> None:
        """The fields and options of the question, where this seat has one."""
        if 'name="decision"' in text:
            self.fields[seat] = dict(
                re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text)
            )
            self.options[seat] = re.findall(r'name="option" value="(\d+)"', text)
        elif 'id="question"' in text:
            self.options[seat] = []

    async def play(self, every: float, until: float) -> None:
        """Choose now and then."""
        await asyncio.sleep(random.random() * every)
        while time.monotonic() < until:
            seat = next((seat for seat in range(self.seats) if self.options[seat]), None)
            if seat is not None:
                data = {**self.fields[seat], "option": random.choice(self.options[seat])}
                self.chosen_at = time.perf_counter()
                answer = await self.client.post(
                    f"/t/{self.id}/s/{seat}/choose",
                    data=data,
                    headers={"accept": "application/json"},
                )
                self.figures.choices += 1
                self.figures.refused += answer.status_code != 200
            await asyncio.sleep(every * random.uniform(0.8, 1.2))


async def _run(
    address: str, tables: int, seconds: float, every: float, pids: list[int]
) -> tuple[Figures, float]:
    figures = Figures()
    found: list[At] = []
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    for number in range(tables):
        game = MIX[number % len(MIX)]
        seats = SEATS[game]
        client = httpx.AsyncClient(base_url=address, timeout=60, limits=limits)
        data = {
            "players": str(seats),
            "chat": "yes",
            **{f"seat{seat}": "me" for seat in range(seats)},
        }
        answer = await client.post(f"/new/{game}", data=data)
        id = answer.headers["location"].removeprefix("/t/")
        found.append(
            At(client, id, seats, figures, [{} for _ in range(seats)], [[] for _ in range(seats)])
        )
    streams = [asyncio.create_task(at.follow(seat)) for at in found for seat in range(at.seats)]
    await asyncio.sleep(5 + tables / 50)
    figures.late.clear()
    figures.sent = 0
    before = sum(map(_cpu, pids))
    until = time.monotonic() + seconds
    await asyncio.gather(*(at.play(every, until) for at in found))
    used = sum(map(_cpu, pids)) - before
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    for at in found:
        await at.client.aclose()
    return figures, used


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _memory(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(one) for one in text]


def main() -> None:
    """Measure, and print a line of figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--every", type=float, default=5, help="seconds between choices of a table")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = [
            "serve",
            *dict.fromkeys(MIX),
            "--port",
            "0",
            "--data",
            folder,
            "--rate",
            "1000000",
            "--jobs",
            str(given.jobs),
        ]
        run = "from rulewright.cli.entry import main; main()"
        server = subprocess.Popen(
            [sys.executable, "-c", run, *words], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        told = server.stdout.readline()
        address = (re.search(r"http://localhost:\d+", told) or [""])[0].replace(
            "localhost", "127.0.0.1"
        )
        time.sleep(12)  # the games are made ready
        pids = [server.pid, *(_children(server.pid) if given.jobs > 1 else [])]
        try:
            figures, used = asyncio.run(
                _run(address, given.tables, given.seconds, given.every, pids)
            )
            memory = [_memory(pid) for pid in pids]
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=30)
    late = sorted(figures.late) or [0.0]
    share = [1000 * late[min(len(late) - 1, int(len(late) * part))] for part in (0.5, 0.95, 0.99)]
    seats = sum(SEATS[MIX[number % len(MIX)]] for number in range(given.tables))
    print(
        f"{given.tables} tables, {seats} streams, {given.jobs} processes, load average {os.getloadavg()[0]:.1f}"
    )
    print(
        f"  choices: {figures.choices} ({figures.refused} refused), {figures.choices / given.seconds:.0f} a second"
    )
    print(
        f"  from a choice to a page: p50 {share[0]:.0f} ms, p95 {share[1]:.0f} ms, p99 {share[2]:.0f} ms"
    )
    print(f"  processor: {1000 * used / max(1, figures.choices):.1f} ms a choice with all pages")
    print(
        f"  sent: {figures.sent / max(1, figures.choices) / (seats / given.tables) / 1000:.1f} kB a choice and seat"
    )
    print(f"  memory: {', '.join(f'{one:.0f} MB' for one in memory)}")


if __name__ == "__main__":
    main()
