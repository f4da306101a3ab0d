"""Decide which files a game may read: files in its own folder and subfolders, and files of the shipped
games.

Symbolic links are followed before paths are compared. This module reads no files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from attrs import frozen

from rulewright.dsl.text.reading import real_path

OUTSIDE: Final = "outside-folder"


@frozen
class Reach:
    """Which files a game may read outside its own folder: the files in a folder of tables, or all files."""

    tables: Path | None = None
    allow_outside: bool = False


@cache
def shipped_folder() -> Path:
    """Return the folder of the shipped games."""
    return real_path(Path(str(files("rulewright.games"))))


def is_inside(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a file is in one of these folders, at any depth. All symbolic links are followed first."""
    real = real_path(path)
    return any(real.is_relative_to(real_path(folder)) for folder in (*folders, shipped_folder()))


def is_absolute(named: str) -> bool:
    """Return whether a name begins at the root of a disk on at least one operating system.

    >>> is_absolute("/etc/hosts"), is_absolute("C:/hosts"), is_absolute("parts/map.game")
    (True, True, False)
    """
    windows = PureWindowsPath(named)
    return PurePosixPath(named).is_absolute() or bool(windows.drive or windows.root)


def why_refused(named: str, folder: Path, folders: Iterable[Path]) -> str | None:
    """Return the reason, in words, for refusing to read a file that a game names; None if reading is allowed."""
    if is_absolute(named):
        return f"`{named}` is an absolute path, not a file in the folder of the game"
    if not is_inside(folder / named, folders):
        is_link = is_inside(Path(os.path.normpath(folder / named)).parent, folders)
        how = (
            "is a link to a file" if is_link and ".." not in PurePosixPath(named).parts else "lies"
        )
        return f"`{named}` {how} outside the folder of the game"
    return None


HELP: Final = "put the file into the folder of the game, or allow it with `--allow-outside`"
