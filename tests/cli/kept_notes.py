"""Reads the notes that are kept between runs, and changes them as an attacker would."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def content_of(note: Path) -> dict[str, Any]:
    """The content of a note, without its checksum."""
    found: dict[str, Any] = json.loads(note.read_text(encoding="utf-8").split("\n", 1)[1])
    return found


def rewrite(note: Path, content: dict[str, Any]) -> None:
    """Write other content with its checksum."""
    text = json.dumps(content)
    note.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}", encoding="utf-8")
