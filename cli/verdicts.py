"""Successful results of `check`, kept between runs.

A note says that with this version of the language and these parts, each given by the hash of its content, there
was no problem. No code in a note is run: at worst the note is ignored and the files are checked again.
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
LARGEST = 1_000_000  # bytes of a note


def is_known_fine(path: Path, reach: Reach, plays: int) -> bool:
    """Whether a check of these files in their present form found no problem, in this many decisions."""
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
    """Note that a check of files found no problem, given the hash of each part (None if it did not exist)."""
    try:
        note = {
            "language": language(),
            "plays": plays,
            "parts": noted_parts(parts),
        }
        write_note(cache_folder(FOLDER), about(path, reach), note, MOST_NOTES)
    except FAILURES:
        return
