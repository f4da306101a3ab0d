"""A server for tests, in this process or in its own, and clients for the people at its tables."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import attrs
import httpx2 as httpx
from starlette.testclient import TestClient

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.web.serving.app import Options, make_app
from rulewright.web.serving.hub import Live
from rulewright.web.serving.site import Site
from tests.waiting import PATIENCE, until

RUN = "import sys; from rulewright.cli.entry import main; main()"


def options(data: Path, *games: str) -> Options:
    """A server for some games, without a rate limit."""
    named = {Path(game).stem: game for game in games}
    return Options(data, named, load_rules, rule_texts, asked=1e6, sent=1e6)


@contextmanager
def server(data: Path, *games: str, **more: Any) -> Iterator[TestClient]:
    """A server in this process, with a client whose cookies are those of one device."""
    app = make_app(attrs.evolve(options(data, *games), **more))
    with TestClient(app, base_url="http://table.test") as client:
        client.app_state = app.app.state  # type: ignore[attr-defined]
        until(lambda: site_of(client).hub.library.is_read)
        yield client


def site_of(client: TestClient) -> Site:
    """The server behind a client."""
    found: Site = client.app_state.site  # type: ignore[attr-defined]
    return found


def other(client: TestClient) -> TestClient:
    """Another device."""
    found = TestClient(client.app, base_url="http://table.test")
    found.portal = client.portal
    found.app_state = client.app_state
    return found


def live_of(client: TestClient, table: str) -> Live:
    """A table in the memory of the server."""
    assert client.portal is not None
    return client.portal.call(site_of(client).hub.get, table)


def new_table(client: httpx.Client, game: str, *seats: str, **fields: str) -> str:
    """Create a table with these seats (`me`, `link`, `open`, `bot:random`); returns its name."""
    data = {"players": str(len(seats)), "chat": "yes", "hints": "yes", **fields}
    data |= {f"seat{number}": who for number, who in enumerate(seats)}
    answer = client.post(f"/new/{game}", data=data, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/t/")


def fields_of(client: httpx.Client, page: str) -> dict[str, str]:
    """The hidden fields of the page of a seat."""
    text = client.get(page).text
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))


def links_of(client: httpx.Client, table: str) -> list[str]:
    """The links of the seats, of spectators and of the host, as the host sees them."""
    text = client.get(f"/t/{table}/host").text
    return list(re.findall(r'value="https?://[^/"]*(/t/\w+/k/[\w-]+)"', text))


@contextmanager
def free_port() -> Iterator[int]:
    """A port that no other process is given; a server that asks for it can listen there, even several in succession."""
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


class Process:
    """A server in a process of its own. `with` ends the process if the test has not."""

    def __init__(
        self, data: Path, *games: str, run: str = RUN, more: tuple[str, ...] = (), port: int = 0
    ) -> None:
        words = ["serve", *games, "--port", str(port), "--data", str(data), *more]
        log = data.parent / "server.log"
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", run, *words],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        try:
            assert self.process.stdout is not None
            with self.process.stdout as out:
                told = [out.readline(), out.readline()]
            found = re.search(r"http://localhost:\d+", told[0])
            assert found, (told, log.read_text())
            self.address = found[0].replace("localhost", "127.0.0.1")
            # a new client for each attempt would read certificates
            with httpx.Client(base_url=self.address, timeout=PATIENCE) as client:
                until(lambda: self._has_read_all(client))
        except BaseException:
            self.kill()
            raise

    def _has_read_all(self, client: httpx.Client) -> bool:
        with suppress(httpx.TransportError):
            return "refresh" not in client.get("/").headers
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()

    def kill(self) -> None:
        """End the process as a loss of power would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Ask the process to stop."""
        self.process.terminate()
        self.process.wait(PATIENCE)
