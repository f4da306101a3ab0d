"""The database of a server: events are added and never changed, and each is stored safely before anybody
sees it.

One thread writes, and puts all waiting jobs into one transaction (a group commit), so that many tables
share the cost of a sync. Two events with the same number cannot both be stored: the second is refused,
whichever process made it. This module is independent of the meaning of events and of HTTP.
"""

from __future__ import annotations

import json
import queue
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from time import monotonic
from typing import Any
from zlib import crc32

import attrs
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    Transaction,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

from rulewright.web.storage import schema

_MOST_AT_ONCE = 200
_TRIES = 10
_BLOCKED = ("40P01", "40001")  # PostgreSQL: a deadlock, and a transaction that must be repeated
_WAITS = 10_000  # how many milliseconds to wait for another process that writes
_WRITES = "BEGIN IMMEDIATE"
_LOOKS = 8
"""The time between two requests for SQLite's lock, in milliseconds. By itself SQLite would try after 1, 2
and 5, and later sleep for 100.
"""


class StorageError(Exception):
    """Raised if the database cannot be read or written now: a full disk, or a lock that is never released."""


class TakenError(Exception):
    """Raised if there is already an event with this number."""


class NoSuchTableError(Exception):
    """Raised if there is no table with this name."""


class DamagedRowError(Exception):
    """Raised if a row has changed since it was written."""


@attrs.frozen
class Row:
    """An event in the form in which it is stored."""

    number: int
    at: int
    data: str


@attrs.frozen
class Listed:
    """The facts about a table that can be read without its events."""

    id: str
    title: str
    created: int
    moved: int
    is_over: bool
    events: int = 0
    size: int = 0


@attrs.frozen
class Rules:
    """The text of all files of a game, by their paths inside the folder of the game."""

    digest: str
    game: str
    main: str
    files: Mapping[str, str]


@attrs.frozen
class Contact:
    """An address for notices to a seat, or with seat -1 to the whole table; `told` is negative before it is
    confirmed.
    """

    table_id: str
    seat: int
    kind: str
    address: str
    secret: str = ""
    told: int = 0


@attrs.frozen
class _Job:
    """A job for the writer, and the future that waits for its result."""

    work: Callable[[Connection], Any]
    done: Future[Any]


class Store:
    """A database, opened by its address: `sqlite:///FILE`, or an address of PostgreSQL."""

    def __init__(self, address: str) -> None:
        address = address_of(address)
        self.address = address
        self._engine = _engine(address, _WRITES)
        self._reader = _engine(address, "BEGIN")
        with _as_storage_error(), self._engine.begin() as connection:
            schema.migrate(connection)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write all waiting jobs, and close the database."""
        self._jobs.put(None)
        self._writer.join(timeout=30)
        self._engine.dispose()
        self._reader.dispose()

    # ---- writing ----

    def write(self, work: Callable[[Connection], Any]) -> Future[Any]:
        """Queue a job for the writer; the returned future is done when the result is stored safely."""
        job = _Job(work, Future())
        self._jobs.put(job)
        return job.done

    def append(self, table: str, first: int, at: int, data: Sequence[str]) -> Future[None]:
        """Add all of these events to a table, or none; the first of them gets the number `first`."""

        def work(connection: Connection) -> None:
            _insert_events(connection, table, first, at, data)
            found = connection.execute(
                update(schema.tables)
                .where(schema.tables.c.id == table)
                .values(moved=at, forgotten=0)
            )
            if found.rowcount != 1:
                raise NoSuchTableError(table)

        return self.write(work)

    def mark_over(self, table: str) -> Future[None]:
        """Mark the match of a table as over, for lists."""

        def work(connection: Connection) -> None:
            changes = {"is_over": 1}
            connection.execute(
                update(schema.tables).where(schema.tables.c.id == table).values(**changes)
            )

        return self.write(work)

    def create(self, listed: Listed, data: Sequence[str]) -> Future[None]:
        """Create a table with its first events."""

        def work(connection: Connection) -> None:
            row = attrs.asdict(listed, filter=attrs.filters.exclude("events", "size"))
            connection.execute(insert(schema.tables).values({**row, "is_over": 0}))
            _insert_events(connection, listed.id, 1, listed.created, data)

        return self.write(work)

    def keep_rules(self, rules: Rules) -> Future[None]:
        """Store the text of rules, unless it is already stored."""

        def work(connection: Connection) -> None:
            known = select(schema.rules.c.digest).where(schema.rules.c.digest == rules.digest)
            if connection.execute(known).first() is None:
                row = {**attrs.asdict(rules), "files": json.dumps(dict(rules.files))}
                connection.execute(insert(schema.rules).values(row))

        return self.write(work)

    def delete(self, table: str) -> Future[None]:
        """Delete a table with all its events."""

        def work(connection: Connection) -> None:
            for one in (schema.events, schema.contacts):
                connection.execute(delete(one).where(one.c.table_id == table))
            connection.execute(delete(schema.tables).where(schema.tables.c.id == table))

        return self.write(work)

    def forget(self, table: str, blank: Callable[[str], str]) -> Future[None]:
        """Delete the addresses of a table, and rewrite its events without names; `blank` removes the names
        from a text.
        """

        def work(connection: Connection) -> None:
            at_table = schema.events.c.table_id == table
            found = select(schema.events).where(at_table).order_by(schema.events.c.number)
            rows = [(row.number, row.at, blank(row.data)) for row in connection.execute(found)]
            contacts = schema.contacts
            connection.execute(delete(contacts).where(contacts.c.table_id == table))
            connection.execute(delete(schema.events).where(at_table))
            for number, at, data in rows:
                _insert_events(connection, table, number, at, [data])
            done = update(schema.tables).where(schema.tables.c.id == table).values(forgotten=1)
            connection.execute(done)

        return self.write(work)

    # ---- contacts ----

    def keep_contact(self, contact: Contact) -> Future[None]:
        """Store an address for notices; an earlier entry of the same address is replaced."""

        def work(connection: Connection) -> None:
            connection.execute(delete(schema.contacts).where(*_same(contact)))
            connection.execute(insert(schema.contacts).values(attrs.asdict(contact)))

        return self.write(work)

    def drop_contact(self, contact: Contact) -> Future[None]:
        """Stop notices to an address."""

        def work(connection: Connection) -> None:
            connection.execute(delete(schema.contacts).where(*_same(contact)))

        return self.write(work)

    def claim(self, contact: Contact, number: int) -> Future[bool]:
        """Claim the notice of an event; of all processes, only one gets True and must send the notice."""

        def work(connection: Connection) -> bool:
            told = schema.contacts.c.told
            claimed = update(schema.contacts).where(*_same(contact), told >= 0, told < number)
            return connection.execute(claimed.values(told=number)).rowcount == 1

        return self.write(work)

    def notify(self, channel: str, said: str) -> Future[None]:
        """Notify all listeners to a channel (PostgreSQL)."""

        def work(connection: Connection) -> None:
            connection.execute(select(func.pg_notify(channel, said)))

        return self.write(work)

    def setting(self, name: str, made: Callable[[], str]) -> str:
        """Return a value that all processes share; `made` creates the value at the first request."""

        def work(connection: Connection) -> str:
            found = select(schema.settings.c.value).where(schema.settings.c.name == name)
            row = connection.execute(found).first()
            if row is not None:
                return str(row[0])
            value = made()
            connection.execute(insert(schema.settings).values(name=name, value=value))
            return value

        for _ in range(2):
            with suppress(TakenError):  # another process was faster
                return str(self.write(work).result())
        raise StorageError(f"the setting {name} cannot be read")

    def secret(self) -> bytes:
        """Return the secret with which the server signs links and tokens."""
        return bytes.fromhex(self.setting("secret", lambda: secrets.token_hex(32)))

    def _write(self) -> None:
        while (job := self._jobs.get()) is not None:
            jobs = [job]
            with suppress(queue.Empty):
                while len(jobs) < _MOST_AT_ONCE:
                    further = self._jobs.get_nowait()
                    if further is None:
                        self._jobs.put(None)
                        break
                    jobs.append(further)
            self._write_all(jobs)

    def _write_all(self, jobs: Sequence[_Job]) -> None:
        """Run all jobs in one transaction, each completely or not at all; answer when everything is stored
        safely.

        A job that nobody waits for any more is skipped; from here on a job cannot be cancelled.
        """
        jobs = [job for job in jobs if job.done.set_running_or_notify_cancel()]
        try:
            results = self._run_jobs(jobs)
        except Exception as failure:
            error = _storage_error(failure)
            for job in jobs:
                job.done.set_exception(error)
            return
        for job, value, problem in results:
            if problem is None:
                job.done.set_result(value)
            else:
                job.done.set_exception(problem)

    def _run_jobs(self, jobs: Sequence[_Job]) -> list[tuple[_Job, Any, BaseException | None]]:
        """Return the results of jobs, once stored safely. If servers block each other, one is aborted and
        tries again.
        """
        for left in reversed(range(_TRIES)):
            try:
                if len(jobs) == 1:  # one job needs no nested transaction
                    with self._engine.connect() as connection:
                        return [_result(jobs[0], connection, connection.begin())]
                with self._engine.begin() as connection:
                    return [_result(job, connection, connection.begin_nested()) for job in jobs]
            except OperationalError as failure:
                if left and getattr(failure.orig, "sqlstate", "") in _BLOCKED:
                    continue
                raise
        raise AssertionError("the last try returns or raises")

    # ---- reading ----

    def read(self, table: str, after: int = 0) -> list[Row]:
        """Return the events of a table after a number, in order; a damaged event is rejected with its
        number.
        """
        found = (
            select(schema.events)
            .where(schema.events.c.table_id == table, schema.events.c.number > after)
            .order_by(schema.events.c.number)
        )
        with _as_storage_error(), self._reader.connect() as connection:
            rows = connection.execute(found).all()
        if not rows and not after:
            raise NoSuchTableError(table)
        for place, row in enumerate(rows, start=after + 1):
            if row.number != place or row.check_sum != _sum(table, row.number, row.at, row.data):
                raise DamagedRowError(
                    f"event {place} of the table {table} is not as it was written"
                )
        return [Row(row.number, row.at, row.data) for row in rows]

    def list_tables(self, ids: Iterable[str] | None = None, most: int = 1_000) -> list[Listed]:
        """Return tables, the most recently changed first."""
        counted = (
            select(
                schema.events.c.table_id,
                func.count().label("events"),
                func.sum(func.length(schema.events.c.data)).label("size"),
            )
            .group_by(schema.events.c.table_id)
            .subquery()
        )
        found = (
            select(schema.tables, counted.c.events, counted.c.size)
            .join(counted, counted.c.table_id == schema.tables.c.id)
            .order_by(schema.tables.c.moved.desc())
            .limit(most)
        )
        if ids is not None:
            found = found.where(schema.tables.c.id.in_(list(ids)))
        with _as_storage_error(), self._reader.connect() as connection:
            rows = connection.execute(found).all()
        return [
            Listed(r.id, r.title, r.created, r.moved, bool(r.is_over), r.events, int(r.size))
            for r in rows
        ]

    def contacts(self, table: str, seats: Sequence[int]) -> list[Contact]:
        """Return the addresses for notices to the given seats of a table; seat -1 is the whole table."""
        contacts = schema.contacts
        found = select(contacts).where(contacts.c.table_id == table, contacts.c.seat.in_(seats))
        with _as_storage_error(), self._reader.connect() as connection:
            rows = connection.execute(found).all()
        return [Contact(*row) for row in rows]

    def open_since(self, moved: int, most: int) -> list[str]:
        """Return the unfinished tables with a move since a time, the most recent first."""
        found = select(schema.tables.c.id).where(
            schema.tables.c.is_over == 0, schema.tables.c.moved >= moved
        )
        return self._ids(found.order_by(schema.tables.c.moved.desc()).limit(most))

    def with_names(self, moved: int) -> list[str]:
        """Return the tables whose last move was before a time, and whose names are not deleted yet."""
        found = select(schema.tables.c.id).where(
            schema.tables.c.forgotten == 0, schema.tables.c.moved < moved
        )
        return self._ids(found)

    def _ids(self, found: Select[tuple[str]]) -> list[str]:
        with _as_storage_error(), self._reader.connect() as connection:
            return [str(row[0]) for row in connection.execute(found)]

    def open_tables(self) -> int:
        """Return the number of unfinished tables."""
        found = select(func.count()).select_from(schema.tables).where(schema.tables.c.is_over == 0)
        with _as_storage_error(), self._reader.connect() as connection:
            return int(connection.execute(found).scalar_one())

    def rules(self, digest: str) -> Rules | None:
        """Return the text of the rules with this digest, or None if it is not stored."""
        found = select(schema.rules).where(schema.rules.c.digest == digest)
        with _as_storage_error(), self._reader.connect() as connection:
            row = connection.execute(found).first()
        return None if row is None else Rules(row.digest, row.game, row.main, json.loads(row.files))


def _result(
    job: _Job, connection: Connection, transaction: Transaction
) -> tuple[_Job, Any, BaseException | None]:
    """Return the result of a job in a nested transaction, or the reason for its rollback."""
    try:
        with transaction:
            return job, job.work(connection), None
    except IntegrityError as failure:
        return job, None, TakenError(str(failure.orig))
    except NoSuchTableError as failure:
        return job, None, failure


def _insert_events(
    connection: Connection, table: str, first: int, at: int, data: Sequence[str]
) -> None:
    rows = [
        {
            "table_id": table,
            "number": number,
            "at": at,
            "data": text,
            "check_sum": _sum(table, number, at, text),
        }
        for number, text in enumerate(data, start=first)
    ]
    connection.execute(insert(schema.events), rows)


def _same(contact: Contact) -> list[ColumnElement[bool]]:
    columns = schema.contacts.c
    return [
        columns.table_id == contact.table_id,
        columns.seat == contact.seat,
        columns.kind == contact.kind,
        columns.address == contact.address,
    ]


def _sum(table: str, number: int, at: int, data: str) -> int:
    return crc32(f"{table}\n{number}\n{at}\n{data}".encode())


def address_of(database: str) -> str:
    """Return the address of a database with its driver; the driver for PostgreSQL is psycopg."""
    for scheme in ("postgresql://", "postgres://"):
        if database.startswith(scheme):
            return "postgresql+psycopg://" + database.removeprefix(scheme)
    return database


def is_shared(address: str) -> bool:
    """Return whether servers on several machines may use a database."""
    return address.startswith("postgresql")


def _engine(address: str, begin: str) -> Engine:
    if not address.startswith("sqlite"):
        return create_engine(address, pool_pre_ping=True)
    engine = create_engine(address)

    def set_up_connection(connection: Any, _: object) -> None:
        connection.isolation_level = None  # this module begins transactions itself
        cursor = connection.cursor()
        for pragma in (
            f"busy_timeout={_WAITS}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "secure_delete=ON",
            f"busy_timeout={_LOOKS if begin == _WRITES else _WAITS}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begin_transaction(connection: Connection) -> None:
        # A writer takes the lock at once, so its reads are still valid when it writes.
        base, until = connection.connection.dbapi_connection, monotonic() + _WAITS / 1000
        assert base is not None
        while monotonic() < until:
            try:
                base.cursor().execute(begin)
            except sqlite3.OperationalError as failure:
                if failure.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    break
            else:
                return
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", set_up_connection)
    event.listen(engine, "begin", begin_transaction)
    return engine


def _storage_error(failure: BaseException) -> BaseException:
    if isinstance(failure, (OperationalError, OSError)):
        said = str(failure.orig) if isinstance(failure, OperationalError) else str(failure)
        return StorageError(f"the database cannot be written or read: {said}")
    return failure


class _as_storage_error:  # noqa: N801  # reads as a statement
    """Turns failures of the database into a `StorageError`."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, failure: BaseException | None, trace: object) -> None:
        if isinstance(failure, SQLAlchemyError):
            error = _storage_error(failure)
            if error is not failure:
                raise error from failure
