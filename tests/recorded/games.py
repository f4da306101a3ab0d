"""The games of the repository that are recorded, and their record."""

from __future__ import annotations

from pathlib import Path

from rulewright.interpreter.matches.library import shipped_games

ROOT = Path(__file__).parents[2]
DIGESTS = Path(__file__).with_name("digests.txt")
FOLDERS = ("games/templates", "tests/corpus/probes")


def games() -> dict[str, Path]:
    """All games by name: shipped ones, templates and probes."""
    found = dict(shipped_games())
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.game")):
            found[path.stem] = path
    return found


def record() -> dict[str, list[str]]:
    """The lines of the record, by game."""
    found: dict[str, list[str]] = {}
    for line in DIGESTS.read_text(encoding="utf-8").splitlines():
        found.setdefault(line.partition("  ")[0], []).append(line)
    return found
