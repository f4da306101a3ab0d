"""The games of the repository that are recorded, and their record."""

from __future__ import annotations

import hashlib
from pathlib import Path

from rulewright.adapters.registered import names
from rulewright.interpreter.matches.library import shipped_games
from tests.games.variants import SHIPPED

ROOT = Path(__file__).parents[2]
DIGESTS = Path(__file__).with_name("digests.txt")
VERSIONS = Path(__file__).with_name("versions.txt")
"""For each environment of a shipped game a digest of its record: what its version means."""
CHANGELOG = ROOT / "CHANGELOG.md"
FOLDERS = ("games/templates", "tests/corpus/probes")


def games() -> dict[str, Path]:
    """All games by name: shipped ones but for those of the library, templates and probes."""
    found = {name: shipped_games()[name] for name in SHIPPED}
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


def versions(recorded: dict[str, list[str]]) -> list[str]:
    """A line for each recorded game that ships: its name with the version, and the digest of its record."""
    lines = []
    for game, name in names():
        if game not in recorded:
            continue  # of the library; each of its games has scenarios and counts of its own
        digest = hashlib.sha256("\n".join(recorded[game]).encode()).hexdigest()[:16]
        lines.append(f"{name} {digest}")
    return lines


def changed(now: list[str], held: list[str], is_released: bool) -> list[str]:
    """The versions that nobody has recorded, and those that mean something else than a release says."""
    digests = dict(line.split(" ") for line in held)
    meant = dict(line.split(" ") for line in now)
    return [
        name
        for name, digest in meant.items()
        if name not in digests or (is_released and digests[name] != digest)
    ]
