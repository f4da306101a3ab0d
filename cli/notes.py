"""Notes kept between runs in the user's cache folder.

A note is data, and its first line is a checksum of the rest. A note is ignored if it cannot be read, is
incomplete, is about another subject, or may have been written by another user. A note that cannot be
written is not an error.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rulewright.dsl
from rulewright.cli.folders import user_folder
from rulewright.dsl.text.reading import real_path

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach

_MADE_OF = (".py", ".lark", ".json")
LARGEST_PART = 100_000_000
FAILURES = (OSError, ValueError, RuntimeError, RecursionError)
"""The errors raised when a note cannot be read, or when there is no home folder."""


def language() -> str:
    """Return the version of the language: a hash of the files that implement the language."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in map(Path, rulewright.dsl.__path__):
        for file in sorted(f for f in folder.rglob("*.*") if f.suffix in _MADE_OF):
            found = file.stat()
            digest.update(f"{file}\0{found.st_size}\0{found.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def cache_folder(name: str) -> Path:
    """Return the folder `name` in the cache folder of this user."""
    return user_folder("XDG_CACHE_HOME", ".cache", "Library/Caches") / name


def about(path: Path, reach: Reach) -> list[str]:
    """Return the subject of a note: a file, and the files outside its folder that may be read for it."""
    tables = "" if reach.tables is None else str(real_path(reach.tables))
    return [str(real_path(path)), tables, "outside" if reach.allow_outside else ""]


def noted_parts(parts: Mapping[Path, str | None]) -> dict[str, list[str | None]]:
    """Return the parts of a game in the form of a note: for each name, the real path and the hash of the
    content.
    """
    return {name_of(part): [str(real_path(part)), known] for part, known in parts.items()}


def name_of(part: Path) -> str:
    """Return the absolute path of a file, without following links."""
    return os.path.abspath(part)  # noqa: PTH100  # `Path.absolute` leaves `..` in


def read_note(folder: Path, what: Sequence[object], largest: int) -> dict[str, Any]:
    """Return the note about a subject; raise one of `FAILURES` if there is no valid note."""
    file = _file(folder, what)
    if not (
        is_ours(folder.lstat(), stat.S_ISDIR)
        and is_ours(file.lstat(), stat.S_ISREG)
        and file.stat().st_size <= largest
    ):
        raise ValueError(f"{file} cannot be trusted")
    checksum, _, text = file.read_bytes().partition(b"\n")
    if checksum.decode("ascii", "replace") != _hash(text):
        raise ValueError(f"{file} was changed after it was written")
    note = json.loads(text)
    if not isinstance(note, dict) or note.get("about") != [*what]:
        raise ValueError(f"{file} is not a note about this")
    return note


def write_note(folder: Path, what: Sequence[object], note: Mapping[str, object], most: int) -> None:
    """Store a note about a subject; if the folder then has more than `most` files, delete the oldest."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_ours(folder.lstat(), stat.S_ISDIR):
        return
    text = json.dumps({"about": [*what], **note}, sort_keys=True, separators=(",", ":"))
    _write(_file(folder, what), f"{_hash(text.encode())}\n{text}")
    _make_room(folder, most)


def is_ours(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Return whether a path is a file (or a folder) that no other user can have changed."""
    if not is_kind(found.st_mode):
        return False
    if sys.platform in (
        "win32",
        "emscripten",
    ):  # on these platforms no other user can write in a user's folder
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def bytes_of(part: Path) -> bytes | None:
    """Return the current bytes of a file, or None if there is no such file.

    Raise ValueError if the file is too large, or is not a regular file.
    """
    try:
        found = part.stat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_PART:
        raise ValueError(f"{part} is not a part of a game")
    return part.read_bytes()


def texts_of(parts: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the contents of the parts of a game; raise ValueError if a part has changed since it was noted."""
    found: dict[str, bytes] = {}
    for part, (place, known) in parts.items():
        data = bytes_of(Path(part))
        if place != str(real_path(Path(part))) or known != (None if data is None else _hash(data)):
            raise ValueError(f"{part} has changed")
        if data is not None:
            found[part] = data
    return found


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _file(folder: Path, what: Sequence[object]) -> Path:
    words = chr(0).join(map(str, what))
    return folder / f"{hashlib.sha256(words.encode()).hexdigest()[:32]}.json"


def _write(file: Path, text: str) -> None:
    """Write a file completely or not at all, even if other processes write it at the same time."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=file.parent, suffix=".new", delete=False
    ) as new:
        name = Path(new.name)
        try:
            new.write(text)
            new.close()
            name.replace(file)
        except BaseException:
            name.unlink(missing_ok=True)
            raise


def _make_room(folder: Path, most: int) -> None:
    """If there are more than `most` files, delete the oldest until half as many are left."""
    files = list(folder.iterdir())
    if len(files) > most:
        files.sort(key=lambda file: file.stat().st_mtime_ns)
        for file in files[: len(files) - most // 2]:
            file.unlink(missing_ok=True)
