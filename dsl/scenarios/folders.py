"""Find the games of a folder and their parts, by file names and by lines with `game` and `include`.

Nothing else in the files is read.
"""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from rulewright.dsl.text.reading import RULES, bytes_of_file, decode, display_path, real_path

_GAME_LINE = re.compile(r'^game[ \t]+"', re.MULTILINE)
_INCLUDE = re.compile(r'^include[ \t]+"([^"\n]+)"', re.MULTILINE)


def is_whole(text: str) -> bool:
    """Return whether rules are a whole game, and not a part of a game."""
    return _GAME_LINE.search(text) is not None


def included_in(text: str) -> list[str]:
    """Return the names of the files that rules include."""
    return _INCLUDE.findall(text)


def game_in(folder: Path) -> Path | None:
    """Return the game of a folder: the file with the folder's name, otherwise the only file with a
    `game` line, otherwise None.
    """
    try:
        named = folder / f"{real_path(folder).name}{RULES}"
        if named.is_file():
            return named
        whole = islice(filter(_is_game, sorted(folder.glob(f"*{RULES}"))), 2)
    except (OSError, ValueError):  # an unreadable folder, or an impossible name
        return None
    first, is_alone = next(whole, None), next(whole, None) is None
    return first if is_alone else None


def _is_game(path: Path) -> bool:
    data = bytes_of_file(path)
    return data is not None and is_whole(decode(display_path(path), data).source.text)
