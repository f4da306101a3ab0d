"""Writes a file completely or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_PART: Final = ".part"  # the suffix of files that are being written


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the name of a file to a write error, because the system gives no name if a disk is full."""
    try:
        yield
    except OSError as failure:
        if failure.filename is None or str(failure.filename).endswith(_PART):
            failure.filename = str(path)
        raise


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a file. Until the new content is stored safely, the file keeps its old content."""
    data = text.encode("utf-8") if isinstance(text, str) else text
    with naming(path):
        _write(path.resolve(), data)  # a link is followed to its target


def _write(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(path))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
