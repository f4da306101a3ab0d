"""Store successful results of `check` between runs.

A note says that this version of the language found no problem in these parts, each given by the hash of its
content. No code in a note is run: at worst the note is ignored and the files are checked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cli.notes import (
    FAILURES,
    about,
    cache_folder,
    language,
    name_of,
    noted_parts,
    read_note,
    texts_of,
    write_note,
)

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach

FOLDER = "checked"
MOST_NOTES = 500
LARGEST = 1_000_000  # the maximum size of a note, in bytes


def is_known_fine(path: Path, reach: Reach, plays: int) -> bool:
    """Return whether a check found no problem in this file and its parts, as they are now, in at least
    `plays` decisions.
    """
    try:
        note = read_note(cache_folder(FOLDER), about(path, reach), LARGEST)
        parts = note.get("parts")
        return (
            note.get("language") == language()
            and note.get("plays", 0) >= plays
            and isinstance(parts, dict)
            and name_of(path) in parts
            and bool(texts_of(parts))
        )
    except (*FAILURES, TypeError):
        return False


def remember_fine(path: Path, reach: Reach, parts: Mapping[Path, str | None], plays: int) -> None:
    """Store that a check of files found no problem; `parts` has the hash of each part, or None if it did
    not exist.
    """
    try:
        note = {
            "language": language(),
            "plays": plays,
            "parts": noted_parts(parts),
        }
        write_note(cache_folder(FOLDER), about(path, reach), note, MOST_NOTES)
    except FAILURES:
        return
