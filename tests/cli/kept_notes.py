"""Notes that are kept between runs: read, and changed as an attacker would change them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def content_of(note: Path) -> dict[str, Any]:
    """What is in a note below its checksum."""
    found: dict[str, Any] = json.loads(note.read_text(encoding="utf-8").split("\n", 1)[1])
    return found


def rewrite(note: Path, content: dict[str, Any]) -> None:
    """Write another content with its checksum."""
    text = json.dumps(content)
    note.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}", encoding="utf-8")
