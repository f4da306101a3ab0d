"""The games of the repository that are recorded, and their record."""

from __future__ import annotations

import hashlib
from pathlib import Path

from rulewright.adapters.registered import names
from rulewright.interpreter.matches.library import shipped_games
from tests.games.variants import LIBRARY, SHIPPED, game_named
from tests.recorded.record import match_line

ROOT = Path(__file__).parents[2]
DIGESTS = Path(__file__).with_name("digests.txt")
IN_LIBRARY = Path(__file__).with_name("library.txt")
"""The beginning of one match of each game of the library."""
VERSIONS = Path(__file__).with_name("versions.txt")
"""For each environment of a shipped game, a digest of its record, which fixes the meaning of its version."""
CHANGELOG = ROOT / "CHANGELOG.md"
FEW = 60
"""How many decisions of a match are recorded for a game of the library."""
FOLDERS = ("games/templates", "tests/corpus/probes")


def games() -> dict[str, Path]:
    """All games by name: shipped ones (without the library), templates and probes."""
    found = {name: shipped_games()[name] for name in SHIPPED}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.game")):
            found[path.stem] = path
    return found


def library_line(name: str) -> str:
    """The record of a game of the library: the beginning of one match."""
    game = game_named(name)
    return match_line(name, game, game.variant(game.facts.low, game.for_random_play()), 0, FEW)


def library_lines() -> list[str]:
    """The record of the library."""
    return [library_line(name) for name in LIBRARY]


def record(path: Path = DIGESTS) -> dict[str, list[str]]:
    """The lines of a record, by game."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        found.setdefault(line.partition("  ")[0], []).append(line)
    return found


def versions() -> list[str]:
    """A line for each shipped game: its name with the version, and the digest of its record."""
    recorded = record() | record(IN_LIBRARY)
    lines = []
    for game, name in names():
        digest = hashlib.sha256("\n".join(recorded[game]).encode()).hexdigest()[:16]
        lines.append(f"{name} {digest}")
    return lines


def missing_or_changed(now: list[str], held: list[str], is_released: bool) -> list[str]:
    """The versions without a record, and those whose meaning differs from a release."""
    digests = dict(line.split(" ") for line in held)
    meant = dict(line.split(" ") for line in now)
    return [
        name
        for name, digest in meant.items()
        if name not in digests or (is_released and digests[name] != digest)
    ]
