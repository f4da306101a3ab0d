"""Serve the page of `rulewright look` to this machine, and make it again after each save."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

import click

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.library import find_game
from rulewright.interpreter.text.errors import BrokenGameError
from rulewright.pictures import script
from rulewright.pictures.beside import beside
from rulewright.pictures.catalogue import look_page
from rulewright.pictures.confine import Problem
from rulewright.pictures.markup import tag
from rulewright.pictures.page import document

_AGAIN = """
setInterval(async () => {
  const answer = await fetch("/stamp").catch(() => null);
  if (answer && await answer.text() !== "STAMP") location.reload();
}, 700);
"""


class Looking:
    """A game on show: its page, and whether a file has changed since the page was made."""

    def __init__(self, name: str, load: Callable[[], Game]) -> None:
        self.name = Path(name).stem
        self._load = load
        self._watched: tuple[Path, ...] = (find_game(name),)
        self._lock = Lock()
        self.problems: tuple[Problem, ...] = ()

    def page(self, more: str = "") -> str:
        """Return the page for the current files. Raise BrokenGameError if the rules cannot be read."""
        with self._lock:
            game = self._load()
            found = beside(game, self.name)
            self._watched, self.problems = found.watched, found.problems
            return look_page(game, self.name, found, script() + more)

    def current_page(self) -> str:
        """Return the page, or a page that lists the errors in the rules; both reload after the next save."""
        again = _AGAIN.replace("STAMP", self.stamp())
        try:
            return self.page(again)
        except BrokenGameError as failure:
            lines = [str(failure), *(_line(problem) for problem in failure.problems)]
            return document("Rules with errors", tag("pre", "\n".join(lines)), "", again)

    def stamp(self) -> str:
        """Return a text that differs after each save."""
        files: set[Path] = set()
        for path in self._watched:
            folder = path.parent if path.suffix == ".game" else path
            files.update(file for file in folder.rglob("*") if file.is_file())
            files.update([path] if path.is_file() else [])
        saved = []
        for file in sorted(files):
            with suppress(FileNotFoundError):  # an editor has just replaced this file
                stat = file.stat()
                saved.append((str(file), stat.st_mtime_ns, stat.st_size))
        return sha256(repr(saved).encode()).hexdigest()


def _line(problem: Diagnostic) -> str:
    span = problem.span
    return f"{span.source.name}:{span.line}: {problem.message}"


def serve(looking: Looking, port: int, *, browser: bool) -> None:
    """Serve the page to this machine until the user interrupts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/stamp":
                self._send(looking.stamp(), "text/plain")
            elif self.path == "/":
                self._send(looking.current_page(), "text/html")
            else:
                self.send_error(404)

        def _send(self, text: str, content_type: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", f"{content_type}; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Do nothing: requests are not logged."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        click.echo(f"{looking.name} is shown at {address} (Ctrl-C ends)")
        if browser:
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("")
