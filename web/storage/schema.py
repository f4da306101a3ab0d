"""The tables of the database, and how an older database becomes one of today."""

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

VERSION = 1

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
)
"""What is listed of tables without reading their events; times are in milliseconds."""

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


class OtherVersionError(Exception):
    """The database was written by a newer version."""


def _first(connection: Connection) -> None:
    metadata.create_all(connection)
    if connection.dialect.name == "sqlite":
        connection.execute(
            text(
                "CREATE TRIGGER event_stays BEFORE UPDATE ON event "
                "BEGIN SELECT RAISE(ABORT, 'events are never changed'); END"
            )
        )


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_first,)
"""What makes version N+1 of version N."""


def migrate(connection: Connection) -> None:
    """Make the database one of today, in one transaction."""
    version = _version(connection)
    if version > VERSION:
        raise OtherVersionError(
            f"the database has version {version}, and this program knows versions up to {VERSION}: use a newer program"
        )
    for step in MIGRATIONS[version:]:
        step(connection)
    if version == 0:
        connection.execute(insert(settings).values(name="version", value=str(VERSION)))
    elif version < VERSION:
        connection.execute(
            update(settings).where(settings.c.name == "version").values(value=str(VERSION))
        )


def _version(connection: Connection) -> int:
    if not inspect(connection).has_table(settings.name):
        return 0
    found = connection.execute(select(settings.c.value).where(settings.c.name == "version"))
    row = found.first()
    return 0 if row is None else int(row[0])
