"""Every game does what it did when it was recorded (see `record.py`).

A change that is meant to change a game records again, `python -m tests.recorded`, and lists what has changed.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.matches.game import load_game
from tests.recorded.games import games, record
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
