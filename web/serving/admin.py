"""Commands for the person who runs a server: list tables, export, read notes, delete, free a seat."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from time import time
from typing import TypeAlias

from rulewright.interpreter.text.columns import table as columns
from rulewright.web.serving.library import Library
from rulewright.web.serving.others import CHANNEL, notice, tell_all
from rulewright.web.storage.store import Listed, NoSuchTableError, Store, is_shared
from rulewright.web.tables.events import from_text, to_text
from rulewright.web.tables.table import Table

HELP = (
    "write `admin tables`, `export TABLE`, `records GAME`, `notes GAME`, `delete TABLE` or "
    "`free TABLE SEAT`"
)


Games: TypeAlias = Callable[[Store], Library]


class AdminError(Exception):
    """Raised if the command cannot be run; the text gives the reason."""


def admin(address: str, words: Sequence[str], games: Games | None = None) -> Iterator[str]:
    """Run a command and yield the lines of its output; `games` reads the rules of tables."""
    store = Store(address)
    try:
        match list(words):
            case ["tables"]:
                yield from _tables(store)
            case ["export", id]:
                yield from _export(store, id)
            case ["records", name] if games is not None:
                yield from _records(store, games(store), name)
            case ["notes", name]:
                yield from _notes(store, name)
            case ["delete", id]:
                store.read(id)
                store.delete(id).result()
                _tell(store, id, 0)
                yield f"table {id} is deleted"
            case ["free", id, seat]:
                yield _free(store, id, seat)
            case _:
                raise AdminError(HELP)
    except NoSuchTableError as failure:
        raise AdminError(f"there is no table `{failure}`") from None
    finally:
        store.close()


def _tables(store: Store) -> Iterator[str]:
    rows = [("table", "last move", "events", "kB", "state", "game")]
    for one in store.list_tables(most=100_000):
        moved = datetime.fromtimestamp(one.moved / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        state = "over" if one.is_over else "open"
        rows.append((one.id, moved, str(one.events), f"{one.size / 1000:.1f}", state, one.title))
    yield from columns(rows, left=6)


def _export(store: Store, id: str) -> Iterator[str]:
    """Yield the events of a table, one per line."""
    for row in store.read(id):
        yield json.dumps(
            {"number": row.number, "at": row.at, **json.loads(row.data)}, ensure_ascii=False
        )


def _records(store: Store, library: Library, name: str) -> Iterator[str]:
    """Yield the records of all finished matches of a game, without the names of people."""
    for one, table in _tables_of(store, name):
        if one.is_over and not table.stopped:
            seats = [seat.bot or "human" for seat in table.seats]
            yield table.course(library.pinned_game(table.rules)).record(seats).to_text().rstrip()


def _notes(store: Store, name: str) -> Iterator[str]:
    """Yield the notes for the designer of a game, without the names of people."""
    for one, table in _tables_of(store, name):
        for note in table.notes:
            yield f"table {one.id}, seat {note.seat + 1}, step {note.step}: {note.text}"


def _tables_of(store: Store, name: str) -> Iterator[tuple[Listed, Table]]:
    """Yield all tables of a game; raise AdminError if there is none."""
    found = False
    for one in store.list_tables(most=100_000):
        table = _table(store, one.id)
        if table.created.game == name:
            found = True
            yield one, table
    if not found:
        raise AdminError(f"no table plays `{name}`")


def _table(store: Store, id: str) -> Table:
    return Table.of(id, ((row.number, row.at, from_text(row.data)) for row in store.read(id)))


def _tell(store: Store, id: str, number: int) -> None:
    """Notify running servers that a table has changed."""
    if is_shared(store.address):
        store.notify(CHANNEL, f"admin {notice(id, number)}").result()
    else:
        tell_all(store.address, id, number)


def _free(store: Store, id: str, seat: str) -> str:
    """Free a seat, so that its current player needs a new link; return a message about it."""
    found = _table(store, id)
    if not (seat.isascii() and seat.isdecimal() and 1 <= int(seat[:3]) <= found.persons):
        raise AdminError(f"the seats are 1 to {found.persons}; there is no seat `{seat}`")
    number = int(seat) - 1
    events = [to_text(event) for event in found.leave(number)]
    store.append(id, found.number + 1, int(time() * 1000), events).result()
    _tell(store, id, found.number + len(events))
    return f"seat {seat} of table {id} is free"
