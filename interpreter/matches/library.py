"""Finds the files of games: a shipped game by its name, any other game by its path.

This module reads only the names of files, not the rules in them.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from rulewright.dsl.diagnostics.characters import printable
from rulewright.dsl.diagnostics.suggest import near_names
from rulewright.dsl.scenarios.folders import game_in
from rulewright.dsl.text.reading import real_path
from rulewright.interpreter.text.errors import NoSuchGameError, with_near

SUFFIX = ".game"
LIBRARY = "library"
_OTHERS = {".csv": "a table", ".md": "a rulebook"}
"""The suffixes of the other files that are stored with games, and what these files contain."""
_LONGEST = 200  # the maximum length of a name in a message


def shipped_games() -> dict[str, Path]:
    """Map the name of each shipped game to its file, in alphabetical order.

    Each game has a row in `rights.csv`. Its file is in the folder of the games, in `library`, or in
    a folder with the name of the game.
    """
    root = Path(str(files("rulewright.games"))).resolve()  # in a checkout the package is a link
    return {
        name: path
        for name in sorted(row["game"] for row in table("rights"))
        for folder in (root, root / LIBRARY, root / name)
        if (path := folder / f"{name}{SUFFIX}").is_file()
    }


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table about the shipped games: `rights` or `groups`."""
    text = (files("rulewright.games") / f"{name}.csv").read_text("utf-8")
    return [*csv.DictReader(text.splitlines())]


def groups() -> dict[str, str]:
    """Map the name of each shipped game to its group, in the order in which lists show groups and games."""
    return {row["game"]: row["group"] for row in table("groups")}


def games_by_group(names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each group and its games among `names`, in the order in which lists show them.

    Games that are not shipped come first, in a group without a name.
    """
    wanted, of = list(names), groups()
    own = [name for name in wanted if name not in of]
    if own:
        yield "", own
    for group in dict.fromkeys(of.values()):
        found = [name for name in of if of[name] == group and name in wanted]
        if found:
            yield group, found


def _beside(path: Path) -> str:
    """Suggest the game in the same folder that the path of a missing file probably means."""
    try:
        stems = {file.stem: file for file in sorted(path.parent.glob(f"*{SUFFIX}"))}
    except (OSError, ValueError):  # the folder cannot be read, or the name is invalid
        return ""
    if path.stem in stems:
        return f"write `{stems[path.stem]}`"
    near = near_names(path.stem, stems)
    return f"did you mean `{stems[near[0]]}`?" if near else ""


def _is_odd(path: Path) -> bool:
    """Return whether a path exists but is neither a file nor a folder."""
    try:
        return os.path.lexists(path) and not (path.is_file() or path.is_dir())
    except (OSError, ValueError):
        return False


def find_game(name: str | Path) -> Path:
    """Find the file of a game, given an existing path or the name of a shipped game."""
    if not isinstance(name, str | Path):
        raise NoSuchGameError(f"a game is named by a word or its file, not by {name!r:.40}")
    path = Path(name)
    if _is_odd(path):
        raise NoSuchGameError(
            f"`{printable(str(name))}` is a pipe, a device or a broken link, not a file"
        )
    try:
        if path.is_file():
            if path.suffix in _OTHERS:
                said = f"`{name}` is {_OTHERS[path.suffix]} and no game"
                raise NoSuchGameError(f"{said}: write the file of its game, as in `market{SUFFIX}`")
            return path
        is_folder = path.is_dir()
    except (OSError, ValueError):  # the name is invalid, or the folder cannot be read
        is_folder = False
    inside = game_in(path) if is_folder else None
    if inside is not None:
        return inside
    shipped = shipped_games()
    if str(name) in shipped:
        return shipped[str(name)]
    if is_folder:
        whole = f"{real_path(path).name}{SUFFIX}"
        raise NoSuchGameError(f"`{name}` is a folder without `{whole}` in it")
    near = _beside(path)
    if near:
        raise NoSuchGameError(f"there is no file `{printable(str(name))}`; {near}")
    what = "file" if path.suffix or len(path.parts) > 1 else "file or shipped game"
    said = printable(str(name))[:_LONGEST]
    raise NoSuchGameError(with_near(f"there is no {what} `{said}`", path.stem, shipped))
