"""Name environments: the name of each shipped game ends with a version, which increases when its rules
change.

`tests/recorded/versions.txt` fixes the meaning of each version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from rulewright.interpreter.matches.library import shipped_games

_VERSIONS: Final[Mapping[str, int]] = MappingProxyType({})
"""The versions of games whose version is above 0."""


def version_of(game: str) -> int:
    """Return the version of the rules of a shipped game."""
    return _VERSIONS.get(game, 0)


def names() -> Iterator[tuple[str, str]]:
    """Yield for each shipped game its name and the name of its PettingZoo module, such as `connect_four_v0`."""
    return ((game, f"{game}_v{version_of(game)}") for game in shipped_games())


def id_of(game: str) -> str:
    """Return the name of a shipped game in Gymnasium.

    >>> id_of("connect_four")
    'rulewright/ConnectFour-v0'
    """
    return f"rulewright/{game.title().replace('_', '')}-v{version_of(game)}"
