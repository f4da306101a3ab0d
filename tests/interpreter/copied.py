"""A copy of a shipped game in another folder, which tests change there."""

from __future__ import annotations

import shutil
from pathlib import Path

from rulewright.interpreter.matches.library import find_game


def copy_game(name: str, folder: Path) -> Path:
    """The file of a game, copied with its rulebook."""
    path = find_game(name)
    for file in (path, path.with_suffix(".rules.md")):
        shutil.copy(file, folder)
    return folder / path.name
