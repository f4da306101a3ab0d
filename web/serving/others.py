"""Notify the other processes of a server of changed tables, by datagrams between sockets in a folder.

A process that misses a notice is not out of date for long: when it stores an event, the database refuses a
number that is already used.
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
"""The channel of PostgreSQL's NOTIFY between servers."""
_LONGEST = 7_000
"""The maximum length of a notice; NOTIFY accepts 8,000 bytes."""
Hear = Callable[[str, int, Sequence[Row]], None]


def notice(table: str, number: int, rows: Sequence[Row] = ()) -> str:
    """Write the notice that a table has events up to a number; the newest rows are included if they are
    short.
    """
    text = json.dumps((table, number, [(row.number, row.at, row.data) for row in rows]))
    return text if len(text) <= _LONGEST else notice(table, number)


def hear_notice(text: str, hear: Hear) -> None:
    """Handle a notice of another process; ignore any other text."""
    try:
        table, number, rows = json.loads(text)
        found = [Row(*row) for row in rows]
    except (ValueError, TypeError):
        return
    hear(table, number, found)


@attrs.define(eq=False)
class Others:
    """The other processes, reached through the sockets in a folder."""

    folder: Path
    _own: Path
    _heard: socket.socket
    _out: socket.socket

    @classmethod
    def open(cls, database: str, hear: Hear) -> Others:
        """Listen to the other processes that serve the same database."""
        folder = _folder(database)
        own = folder / token_hex(6)
        heard, out = (socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2))
        for one in (heard, out):
            one.setblocking(False)
        _remove_ended()
        while True:
            folder.mkdir(mode=0o700, exist_ok=True)
            if folder.stat().st_uid != os.getuid():
                raise PermissionError(f"`{folder}` belongs to somebody else")
            with suppress(FileNotFoundError):  # another process has just removed the empty folder
                heard.bind(str(own))
                break

        def read() -> None:
            with suppress(BlockingIOError):
                while True:
                    hear_notice(heard.recv(_LONGEST).decode("ascii", "replace"), hear)

        asyncio.get_running_loop().add_reader(heard.fileno(), read)
        return cls(folder, own, heard, out)

    def tell(self, table: str, number: int, rows: Sequence[Row]) -> None:
        """Notify all other processes. A process that has ended is forgotten; a busy process finds the
        change by itself.
        """
        _send(self._out, self.folder, self._own, notice(table, number, rows))

    def close(self) -> None:
        """Stop listening."""
        asyncio.get_running_loop().remove_reader(self._heard.fileno())
        self._heard.close()
        self._out.close()
        _remove(self._own)


def tell_all(database: str, table: str, number: int) -> None:
    """Notify all processes that serve a database, from a process that does not serve it."""
    folder = _folder(database)
    if folder.is_dir():
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            _send(out, folder, None, notice(table, number))


def _folder(database: str) -> Path:
    # The path of a socket must be short, and the path of the data folder may be too long.
    name = sha256(database.encode()).hexdigest()[:12]
    return Path(gettempdir()) / f"{prefix()}{name}"


def prefix() -> str:
    """Return the beginning of the names of all folders with sockets."""
    return f"rulewright-{os.getuid()}-"


def _remove_ended() -> None:
    """Remove the sockets of processes of any server that have been killed, and empty folders."""
    for folder in Path(gettempdir()).glob(f"{prefix()}*"):
        with suppress(OSError):  # another process was faster, or the folder is not empty
            for path in folder.iterdir():
                if _has_ended(path):
                    path.unlink()
            folder.rmdir()


def _has_ended(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        try:
            out.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:  # no socket
            pass
    return False


def _remove(path: Path) -> None:
    with suppress(OSError):  # the folder is not empty, or another process was faster
        path.unlink()
        path.parent.rmdir()


def _send(out: socket.socket, folder: Path, own: Path | None, text: str) -> None:
    data = text.encode("ascii")
    for path in folder.iterdir():
        if path == own:
            continue
        try:
            out.sendto(data, str(path))
        except ConnectionRefusedError:
            _remove(path)
        except OSError:
            continue
