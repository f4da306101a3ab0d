"""Tells the other processes of a server that a table has changed, by datagrams between sockets of a folder.

A server that misses one is not wrong for long: the database decides, and a number that is taken shows there.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir

import attrs

from rulewright.web.storage.store import Row

CHANNEL = "rulewright"
"""The channel of PostgreSQL's NOTIFY on which servers tell each other."""
_LONGEST = 7_000
"""So many letters a notice has at most: NOTIFY takes 8,000."""
Hear = Callable[[str, int, Sequence[Row]], None]


def notice(table: str, number: int, rows: Sequence[Row] = ()) -> str:
    """The words about a table that has events up to a number: with its newest rows, where they are short."""
    text = json.dumps((table, number, [(row.number, row.at, row.data) for row in rows]))
    return text if len(text) <= _LONGEST else notice(table, number)


def hear_notice(text: str, hear: Hear) -> None:
    """Hear what others say; words that are no notice are passed over."""
    try:
        table, number, rows = json.loads(text)
        found = [Row(*row) for row in rows]
    except (ValueError, TypeError):
        return
    hear(table, number, found)


@attrs.define(eq=False)
class Others:
    """The other processes, by the sockets in a folder."""

    folder: Path
    _own: Path
    _heard: socket.socket
    _out: socket.socket

    @classmethod
    def open(cls, database: str, hear: Hear) -> Others:
        """Listen for the others that serve the same database."""
        folder = _folder(database)
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(f"`{folder}` belongs to somebody else")
        own = folder / token_hex(6)
        heard, out = (socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2))
        for one in (heard, out):
            one.setblocking(False)
        heard.bind(str(own))

        def read() -> None:
            with suppress(BlockingIOError):
                while True:
                    hear_notice(heard.recv(_LONGEST).decode("ascii", "replace"), hear)

        asyncio.get_running_loop().add_reader(heard.fileno(), read)
        return cls(folder, own, heard, out)

    def tell(self, table: str, number: int, rows: Sequence[Row]) -> None:
        """Tell all others; one that has ended is forgotten, one that is busy finds out by itself."""
        _send(self._out, self.folder, self._own, notice(table, number, rows))

    def close(self) -> None:
        """Listen no longer."""
        asyncio.get_running_loop().remove_reader(self._heard.fileno())
        self._heard.close()
        self._out.close()
        with suppress(OSError):
            self._own.unlink()


def tell_all(database: str, table: str, number: int) -> None:
    """Tell all processes that serve a database, from one that does not."""
    folder = _folder(database)
    if folder.is_dir():
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            _send(out, folder, None, notice(table, number))


def _folder(database: str) -> Path:
    # Addresses of sockets are short: the folder of the data may be too deep.
    name = sha256(database.encode()).hexdigest()[:12]
    return Path(gettempdir()) / f"rulewright-{os.getuid()}-{name}"


def _send(out: socket.socket, folder: Path, own: Path | None, text: str) -> None:
    data = text.encode("ascii")
    for path in folder.iterdir():
        if path == own:
            continue
        try:
            out.sendto(data, str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            with suppress(OSError):
                path.unlink()
        except OSError:
            continue
