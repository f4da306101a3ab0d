"""Which game a folder is about, by the names of its files and their lines with `game`.

Refuses to read anything else in them.
"""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from rulewright.dsl.text.reading import MAX_BYTES, RULES, decode, shown

_GAME_LINE = re.compile(r'^game[ \t]+"', re.MULTILINE)


def game_in(folder: Path) -> Path | None:
    """The game of a folder: the one it is named after, else the only file in it with a `game` line."""
    try:
        named = folder / f"{folder.resolve().name}{RULES}"
        if named.is_file():
            return named
        whole = islice(filter(_is_whole, sorted(folder.glob(f"*{RULES}"))), 2)
    except (OSError, ValueError):  # a folder that may not be read, a name that can be none
        return None
    first, is_alone = next(whole, None), next(whole, None) is None
    return first if is_alone else None


def _is_whole(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            reading = decode(shown(path), file.read(MAX_BYTES + 1))
    except OSError:
        return False
    return _GAME_LINE.search(reading.source.text) is not None
