"""Every game does what it did when it was recorded (see `record.py`).

A change that is meant to change a game records again, `python -m tests.recorded`, and lists what has changed.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.matches.game import load_game
from tests.recorded.games import VERSIONS, games, record, versions
from tests.recorded.record import lines, matches

GAMES = games()
RECORD = record()


def test_every_game_is_recorded() -> None:
    assert list(RECORD) == list(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_one_variant(name: str) -> None:
    (line,) = matches(name, load_game(GAMES[name]), most=1)
    assert line == RECORD[name][1]


@pytest.mark.deep
@pytest.mark.parametrize("name", GAMES)
def test_all_variants(name: str) -> None:
    assert list(lines(name, GAMES[name])) == RECORD[name]


def test_the_version_of_an_environment_means_the_same_rules() -> None:
    """A released version must go on to mean what it meant: rules that change get the next one (`registered.py`)."""
    held = VERSIONS.read_text(encoding="utf-8").splitlines()
    changed = [now for now in versions(RECORD) if now not in held]
    assert not changed, (
        "raise the versions of these games in adapters/registered.py, or, as long as they are not released,"
        " record again by `python -m tests.recorded`"
    )
