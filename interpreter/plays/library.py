"""Where games are: a shipped game by its name, any other by its path.

Refuses to read rules; knows only names of files.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from rulewright.dsl.problems.glyphs import shown
from rulewright.interpreter.wording.errors import NoSuchGameError, with_near

SUFFIX = ".game"
_LONGEST = 200  # of a name in a message


def shipped_games() -> dict[str, Path]:
    """The shipped games by name, in order: `NAME.game`, or `NAME/NAME.game` with its tables."""
    root = Path(str(files("rulewright.games")))
    found = [*root.glob(f"*{SUFFIX}"), *root.glob(f"*/*{SUFFIX}")]
    return {
        path.stem: path
        for path in sorted(found, key=lambda path: path.stem)
        if path.parent in (root, root / path.stem)
    }


def find_game(name: str | Path) -> Path:
    """The file of a game: a path that exists, else the name of a shipped game."""
    path = Path(name)
    try:
        if path.is_file():
            return path
        is_folder = path.is_dir()
    except OSError:  # a name too long for the system, a folder that may not be read
        is_folder = False
    inside = path / f"{path.resolve().name}{SUFFIX}" if is_folder else path
    if is_folder and inside.is_file():
        return inside
    shipped = shipped_games()
    if str(name) in shipped:
        return shipped[str(name)]
    if is_folder:
        raise NoSuchGameError(f"`{name}` is a folder without `{inside.name}` in it")
    what = "file" if path.suffix or len(path.parts) > 1 else "file or shipped game"
    said = shown(str(name))[:_LONGEST]
    raise NoSuchGameError(with_near(f"there is no {what} `{said}`", path.stem, shipped))
