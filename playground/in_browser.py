"""Answer the messages of a page, in Python for browsers, in a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rulewright.playground.host import Host
from rulewright.playground.left_out import OutOfReachError, file_named, page
from rulewright.playground.player import Player

FOLDER = Path("/home/pyodide/game")
_hosts: list[Host] = []


def start(command: Callable[[Sequence[str]], int] | None = None) -> None:
    """Start to answer a page: with `command`, a function for command lines, the page edits; otherwise it
    only plays.
    """
    if command is None:
        _hosts.append(Player(FOLDER, lambda name: file_named(f"programs/{name}"), _native))
        return
    # lazy import: a page that plays has no editor
    from rulewright.playground.worker import Worker  # noqa: PLC0415

    _hosts.append(
        Worker(
            FOLDER,
            command,
            lambda text: page().rulewright_told(text),
            _native,
            lambda address: bool(page().rulewright_wanted(address)),
        )
    )


def wake() -> None:
    """Continue from the memory of an earlier visit."""
    _hosts[0].wake()


def answer(text: str) -> str:
    """Return the answer to a message."""
    return _hosts[0].answer(text)


def _native(name: str) -> bytes | None:
    try:
        return file_named(f"native/{name}.wasm")
    except OutOfReachError:
        return None  # generated Python then runs the game, and the page says so
