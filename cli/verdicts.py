"""Successful results of `check`, kept between runs.

A note says: with this version of the language and these parts, each by the hash of its content,
there was no problem. Nothing of a note is ever run: at worst it is ignored and the files are
checked again.
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
    """Whether these files, as they are now, have been checked before and nothing was found, in so many decisions."""
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
    """Note that nothing is wrong with files, given the hash of each part (None where none was), and is in play."""
    try:
        note = {
            "language": language(),
            "plays": plays,
            "parts": noted_parts(parts),
        }
        write_note(cache_folder(FOLDER), about(path, reach), note, MOST_NOTES)
    except FAILURES:
        return
