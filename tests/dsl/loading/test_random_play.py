"""`in random play OPTION is VALUE`: the values in random play, and the commands that mention them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.adapters.table import Table
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.text.errors import BrokenGameError
from tests.cli.conftest import Command, command

__all__ = ["command"]

GAME = """game "Long"
    players 2
    {line}
option turn_limit = 0, 3
option mode = plain, fancy

state turn: 0..9999

play
    repeat until turn_limit > 0 and turn is turn_limit
        each player
            choose n in 1..2
        add 1 to turn

score of p
    item "turns" = turn

winner p by p.total then shared
"""


def _game(tmp_path: Path, line: str) -> Path:
    file = tmp_path / "long.game"
    file.write_text(GAME.format(line=line))
    return file


def test_random_play_uses_the_value(tmp_path: Path) -> None:
    game = load_game(_game(tmp_path, "in random play turn_limit is 3 and mode is fancy"))
    assert game.for_random_play() == {"turn_limit": "3", "mode": "fancy"}
    assert game.for_random_play({"mode": "plain"}) == {"turn_limit": "3", "mode": "plain"}
    assert dict(game.variant().options) == {"turn_limit": "0", "mode": "plain"}
    assert game.playout().over
    assert dict(Table.of(game).variant.options)["turn_limit"] == "3"
    assert dict(game.vector(2).compiled.program.options)["turn_limit"] == "3"


@pytest.mark.parametrize("more", [[], ["--coverage"]])
def test_commands_say_which_value_random_play_uses(command: Command, more: list[str]) -> None:
    file = str(_game(Path(), "in random play turn_limit is 3"))
    ran = command("simulate", file, "--games", "2", *more)
    assert ran.code == 0
    assert ran.err.startswith("Long is played at random with turn_limit=3\n")
    assert command("simulate", file, "--games", "2", *more, "--set", "turn_limit=3").err == ""


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("in random play turn_limt is 3", "there is no option `turn_limt`"),
        ("in random play turn_limit is 4", "the option `turn_limit` has no value `4`"),
        ("in random play turn_limit > 3", "`in random play` needs options"),
        ("in random play mode is plain and mode is fancy", "has two values here"),
    ],
)
def test_mistakes_are_reported(tmp_path: Path, line: str, reported: str) -> None:
    with pytest.raises(BrokenGameError) as broken:
        load_game(_game(tmp_path, line))
    assert reported in broken.value.problems[0].message
