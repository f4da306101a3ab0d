"""Write tables of matches to files: CSV and SQLite, and Parquet if pyarrow is installed.

This is the only module that uses pyarrow. An existing file is overwritten only if this command wrote it.
"""

from __future__ import annotations

import csv
import errno
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rulewright.interpreter.statistics.tables import Column, Row

Tables = Mapping[str, Sequence["Column"]]
Sink = Callable[[Mapping[str, Sequence["Row"]]], None]
PARQUET = ".parquet"
ENDINGS = (".csv", ".sqlite", PARQUET)
_SQLITE_MARK = 0x52574C42
"""The mark of databases written by this command."""
_NOTE = b"rulewright"


def refuse_to_export(path: Path) -> None:
    """Report at once a problem that would otherwise stop the export at the end."""
    if path.suffix not in ENDINGS:
        raise click.BadParameter(
            f"'{path}' does not end with {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}",
            param_hint="'--out'",
        )
    refuse_without_pyarrow(path)
    for each in _files(path, ("games", "seats", "decisions", "cards")):
        refuse_to_replace(each, "--out")


def refuse_without_pyarrow(path: Path) -> None:
    """Reject a Parquet file if pyarrow is not installed."""
    if path.suffix == PARQUET and find_spec("pyarrow") is None:
        raise click.UsageError(
            "a .parquet file needs pyarrow; `pip install '.[parquet]'` installs it"
        )


def refuse_to_replace(path: Path, option: str) -> None:
    """Reject an existing file that this command has not written, and a file in a folder that does not exist."""
    if not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder '{path.parent}'", param_hint=f"'{option}'")
    if path.exists() and not _is_ours(path):
        raise click.BadParameter(
            f"'{path}' exists already and was not made by this command; choose another name",
            param_hint=f"'{option}'",
        )


def _is_ours(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(400)
        match path.suffix:
            case ".csv":
                return start.startswith(b"setting,seed,")
            case ".sqlite":
                return start[68:72] == _SQLITE_MARK.to_bytes(4, "big")
            case ".html":
                return b'content="rulewright"' in start
            case _:
                file.seek(0, 2)
                file.seek(max(0, file.tell() - 20_000))
                return start.startswith(b"PAR1") and _NOTE in file.read()


def _files(path: Path, tables: Sequence[str]) -> list[Path]:
    """Return the files to write: for `games.csv`, the file itself, `games.seats.csv` beside it, and so on.

    A database is a single file, which contains all tables.
    """
    if path.suffix == ".sqlite":
        return [path]
    return [path, *(path.with_suffix(f".{table}{path.suffix}") for table in tables[1:])]


@contextmanager
def export(path: Path, tables: Tables) -> Iterator[Sink]:
    """Write tables to a file; yield a function that receives rows, keyed by table.

    The old files remain until everything is written.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.atomic_files import naming

    made = _files(path, tuple(tables))
    parts = [each.with_name(f".{each.name}.part") for each in made]
    for part in parts:
        part.unlink(missing_ok=True)
    try:
        with naming(path), ExitStack() as stack:
            match path.suffix:
                case ".csv":
                    yield _to_csv(stack, parts, tables)
                case ".sqlite":
                    yield _to_sqlite(stack, parts[0], tables)
                case _:
                    yield _to_parquet(stack, parts, tables)
        for part, each in zip(parts, made, strict=True):
            part.replace(each)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


@contextmanager
def parquet_file(
    path: Path, columns: Mapping[str, str], about: Mapping[str, str]
) -> Iterator[Callable[[Sequence[Sequence[Any]]], None]]:
    """Write one table; yield a function that receives its rows.

    `columns` gives the type of each column: `number`, `numbers` or `real`. The old table remains until
    everything is written.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.atomic_files import naming

    pyarrow = import_module("pyarrow")
    parquet = import_module("pyarrow.parquet")
    kinds = {
        "number": pyarrow.int64(),
        "numbers": pyarrow.list_(pyarrow.int32()),
        "real": pyarrow.float64(),
    }
    fields = [pyarrow.field(name, kinds[kind]) for name, kind in columns.items()]
    schema = pyarrow.schema(fields, metadata={"made_by": _NOTE.decode(), **about})
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)

    def write(rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            values = zip(*rows, strict=True)
            arrays = [
                pyarrow.array(column, field.type)
                for column, field in zip(values, schema, strict=True)
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))

    try:
        with naming(path):
            with parquet.ParquetWriter(part, schema) as writer:
                yield write
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _to_csv(stack: ExitStack, paths: Sequence[Path], tables: Tables) -> Sink:
    writers: dict[str, Any] = {}
    for path, (name, columns) in zip(paths, tables.items(), strict=True):
        file: IO[str] = stack.enter_context(path.open("w", encoding="utf-8", newline=""))
        writers[name] = csv.writer(file, lineterminator="\n")
        writers[name].writerow([column.name for column in columns])

    def sink(rows: Mapping[str, Sequence[Row]]) -> None:
        for name, found in rows.items():
            writers[name].writerows(found)

    return sink


def _to_sqlite(stack: ExitStack, path: Path, tables: Tables) -> Sink:
    database = sqlite3.connect(path)
    stack.callback(database.close)
    database.execute(f"PRAGMA application_id = {_SQLITE_MARK}")
    places = {}
    for name, columns in tables.items():
        kinds = ", ".join(
            f"{_quote(column.name)} {'TEXT' if column.is_text else 'INTEGER'}" for column in columns
        )
        database.execute(f"CREATE TABLE {name} ({kinds})")
        places[name] = ", ".join("?" * len(columns))

    def sink(rows: Mapping[str, Sequence[Row]]) -> None:
        try:
            with database:
                for name, found in rows.items():
                    database.executemany(f"INSERT INTO {name} VALUES ({places[name]})", found)
        except sqlite3.OperationalError as failure:  # a full disk
            raise OSError(errno.EIO, str(failure), str(path)) from failure

    return sink


def _quote(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _to_parquet(stack: ExitStack, paths: Sequence[Path], tables: Tables) -> Sink:
    pyarrow = import_module("pyarrow")
    parquet = import_module("pyarrow.parquet")
    writers: dict[str, tuple[Any, Any]] = {}
    for path, (name, columns) in zip(paths, tables.items(), strict=True):
        fields = [
            pyarrow.field(column.name, pyarrow.string() if column.is_text else pyarrow.int64())
            for column in columns
        ]
        schema = pyarrow.schema(fields, metadata={"made_by": _NOTE.decode()})
        writer = parquet.ParquetWriter(path, schema)
        stack.callback(writer.close)
        writers[name] = writer, schema

    def sink(rows: Mapping[str, Sequence[Row]]) -> None:
        for name, found in rows.items():
            writer, schema = writers[name]
            columns = [*zip(*found, strict=True)] or [()] * len(schema)
            arrays = [
                pyarrow.array(column, field.type)
                for column, field in zip(columns, schema, strict=True)
            ]
            if found:
                writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))

    return sink
