"""The tables of the database, and the migrations from older versions."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    text,
    update,
)

VERSION = 2

metadata = MetaData()

settings = Table(
    "setting",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

tables = Table(
    "game_table",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("title", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("moved", BigInteger, nullable=False, index=True),
    Column("is_over", Integer, nullable=False, default=0),
    Column("forgotten", Integer, nullable=False, default=0, server_default="0"),
)
"""The facts about tables that lists need, without their events; times are in milliseconds."""

events = Table(
    "event",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
    Column("check_sum", BigInteger, nullable=False),
)

rules = Table(
    "rules",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("game", Text, nullable=False),
    Column("main", Text, nullable=False),
    Column("files", Text, nullable=False),
)
"""The text of all files of a game, as JSON, by the digest of its rules; `main` is the file of the game."""


contacts = Table(
    "contact",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), primary_key=True),
    Column("address", String(600), primary_key=True),
    Column("secret", Text, nullable=False, default=""),
    Column("told", Integer, nullable=False, default=0),
)
"""The addresses of notices.

`told` is the number of the last event of a table that a notice was about, or -1 before the address is
confirmed. Addresses are not stored as events, because they can be deleted.
"""


class OtherVersionError(Exception):
    """Raised if the database was written by a newer version."""


def _create(connection: Connection) -> None:
    """Create a database of the current version."""
    metadata.create_all(connection)
    if connection.dialect.name == "sqlite":
        connection.execute(
            text(
                "CREATE TRIGGER event_stays BEFORE UPDATE ON event "
                "BEGIN SELECT RAISE(ABORT, 'events are never changed'); END"
            )
        )
    elif connection.dialect.name == "postgresql":
        connection.execute(
            text(
                "CREATE FUNCTION event_stays() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'events are never changed'; END $$"
            )
        )
        connection.execute(
            text(
                "CREATE TRIGGER event_stays BEFORE UPDATE ON event "
                "FOR EACH ROW EXECUTE FUNCTION event_stays()"
            )
        )


def _contacts(connection: Connection) -> None:
    """Migrate to version 2: add addresses for notices, and whether the names at a table were deleted."""
    connection.execute(
        text("ALTER TABLE game_table ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0")
    )
    contacts.create(connection)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_contacts,)
"""The migrations from version 1 to 2, and so on. A migration never changes, because databases made by it
exist.
"""


def migrate(connection: Connection) -> None:
    """Migrate the database to the current version, in one transaction."""
    version = _version(connection)
    if version > VERSION:
        raise OtherVersionError(
            f"the database has version {version}, and this program knows versions up to {VERSION}: use a newer program"
        )
    if connection.dialect.name == "postgresql":  # two processes may start at once
        connection.execute(text("SELECT pg_advisory_xact_lock(7253091)"))
        version = _version(connection)
    if version == 0:
        _create(connection)
        connection.execute(insert(settings).values(name="version", value=str(VERSION)))
    elif version < VERSION:
        for step in MIGRATIONS[version - 1 :]:
            step(connection)
        connection.execute(
            update(settings).where(settings.c.name == "version").values(value=str(VERSION))
        )


def _version(connection: Connection) -> int:
    if not inspect(connection).has_table(settings.name):
        return 0
    found = connection.execute(select(settings.c.value).where(settings.c.name == "version"))
    row = found.first()
    return 0 if row is None else int(row[0])
