"""What `check` found nothing wrong with, kept between runs in the user's cache folder.

A note says: with this version of the language and these parts, each by the hash of what was in it,
there was no problem. Nothing else is kept, and nothing of a note is ever run: at worst it is not
believed and the files are checked again. A note that cannot be read, is not whole, speaks of
something else, or may have been written by somebody else is passed over; one that cannot be written
is not missed. Refuses to know what is checked.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import rulewright.dsl

_MADE_OF = (".py", ".lark", ".json")
MOST_NOTES = 500
LARGEST = 1_000_000  # bytes of a note
LARGEST_PART = 100_000_000


def is_known_fine(path: Path, tables: Path | None) -> bool:
    """Whether these files, as they are now, have been checked before and nothing was found."""
    try:
        about = _about(path, tables)
        note = _read(_note_file(_folder(), about))
        parts = note.get("parts")
        return (
            note.get("about") == about
            and note.get("language") == language()
            and isinstance(parts, dict)
            and str(path.resolve()) in parts
            and all(_hash_of(Path(part)) == known for part, known in parts.items())
        )
    except (OSError, ValueError, RuntimeError, RecursionError):
        return False


def remember_fine(path: Path, tables: Path | None, parts: Mapping[Path, str | None]) -> None:
    """Note that nothing is wrong with files, given the hash of each part (None where none was)."""
    try:
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(folder.lstat(), stat.S_ISDIR):
            return
        about = _about(path, tables)
        note = {
            "about": about,
            "language": language(),
            "parts": {str(part.resolve()): known for part, known in parts.items()},
        }
        _write(_note_file(folder, about), json.dumps(note, sort_keys=True))
        _make_room(folder)
    except (OSError, ValueError, RuntimeError):
        return


def language() -> str:
    """What tells this language from an earlier or later one: a hash of the files that make it."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in map(Path, rulewright.dsl.__path__):
        for file in sorted(f for f in folder.rglob("*.*") if f.suffix in _MADE_OF):
            found = file.stat()
            digest.update(f"{file}\0{found.st_size}\0{found.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def _folder() -> Path:
    """Where this user's programs keep what they can do without."""
    if sys.platform == "win32":
        given, usual = os.environ.get("LOCALAPPDATA"), "AppData/Local"
    elif sys.platform == "darwin":
        given, usual = None, "Library/Caches"
    else:
        given, usual = os.environ.get("XDG_CACHE_HOME"), ".cache"
    root = Path(given) if given and Path(given).is_absolute() else Path.home() / usual
    return root / "rulewright" / "checked"


def _about(path: Path, tables: Path | None) -> list[str]:
    return [str(path.resolve()), "" if tables is None else str(tables.resolve())]


def _note_file(folder: Path, about: list[str]) -> Path:
    return folder / f"{hashlib.sha256(chr(0).join(about).encode()).hexdigest()[:32]}.json"


def _is_ours(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Whether something is a file (or a folder) that nobody else can have written to."""
    if not is_kind(found.st_mode):
        return False
    if sys.platform == "win32":  # which lets nobody else into the folder of a user
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _read(file: Path) -> dict[str, object]:
    if not (
        _is_ours(file.parent.lstat(), stat.S_ISDIR)
        and _is_ours(file.lstat(), stat.S_ISREG)
        and file.stat().st_size <= LARGEST
    ):
        raise ValueError(f"{file} is not to be believed")
    note = json.loads(file.read_bytes())
    if not isinstance(note, dict):
        raise ValueError(f"{file} is no note")
    return note


def _hash_of(part: Path) -> str | None:
    """The hash of what is in a file now; None where there is none."""
    try:
        found = part.stat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_PART:
        raise ValueError(f"{part} is no part of a game")
    return hashlib.sha256(part.read_bytes()).hexdigest()


def _write(file: Path, text: str) -> None:
    """Write a file as a whole or not at all, whoever else does the same."""
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


def _make_room(folder: Path) -> None:
    """Drop the oldest notes, and what interrupted runs have left, where there are very many."""
    files = list(folder.iterdir())
    if len(files) > MOST_NOTES:
        files.sort(key=lambda file: file.stat().st_mtime_ns)
        for file in files[: len(files) - MOST_NOTES // 2]:
            file.unlink(missing_ok=True)
