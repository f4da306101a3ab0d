"""What `check` found nothing wrong with, kept between runs.

A note says: with this version of the language and these parts, each by the hash of what was in it,
there was no problem. Nothing of a note is ever run: at worst it is not believed and the files are
checked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulewright.cli.notes import (
    FAILURES,
    about,
    cache_folder,
    hash_of,
    language,
    read_note,
    write_note,
)

FOLDER = "checked"
MOST_NOTES = 500
LARGEST = 1_000_000  # bytes of a note


def is_known_fine(path: Path, tables: Path | None) -> bool:
    """Whether these files, as they are now, have been checked before and nothing was found."""
    try:
        note = read_note(cache_folder(FOLDER), about(path, tables), LARGEST)
        parts = note.get("parts")
        return (
            note.get("language") == language()
            and isinstance(parts, dict)
            and str(path.resolve()) in parts
            and all(hash_of(Path(part)) == known for part, known in parts.items())
        )
    except FAILURES:
        return False


def remember_fine(path: Path, tables: Path | None, parts: Mapping[Path, str | None]) -> None:
    """Note that nothing is wrong with files, given the hash of each part (None where none was)."""
    try:
        note = {
            "language": language(),
            "parts": {str(part.resolve()): known for part, known in parts.items()},
        }
        write_note(cache_folder(FOLDER), about(path, tables), note, MOST_NOTES)
    except FAILURES:
        return
