"""Runs that go on and on: each stops as a fault, on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.engines import EngineName
from rulewright.interpreter.faults import PlayFault
from rulewright.interpreter.game import load_game

HEAD = """game "On and on"
    players 2
state x: 0..999999999
player
    state coins: 0..9
score of p
    item "coins" = p.coins + x
winner p by p.total then shared
play
"""
ENDLESS = {
    "turns until something": """
    repeat until x > 999999000
        add 1 to x
""",
    "very many turns": """
    repeat 900000000 times
        add 1 to x
""",
    "many turns in many turns": """
    repeat 900 times
        repeat 900 times
            repeat 900 times
                set x to 9 - x
""",
    "chance alone": """
    repeat until x is 7
        roll x in 1..6
""",
    "blocks": """
    repeat until x > 999999000
        do step
rule step
    add 1 to x
after step
    if x is 0
        choose n in 1..3
        set x to n
""",
}
ENDING = """
    repeat 300 times
        repeat 300 times
            add 1 to x
    repeat 400 times
        roll n in 1..6
        add n to x
"""

ENGINES = pytest.mark.parametrize(
    "engine",
    [
        pytest.param("python", marks=pytest.mark.slow),
        pytest.param("reference", marks=pytest.mark.deep),
    ],
)


@ENGINES
@pytest.mark.parametrize("name", ENDLESS)
def test_it_stops(tmp_path: Path, name: str, engine: EngineName) -> None:
    path = tmp_path / "on.game"
    path.write_text(HEAD + ENDLESS[name].lstrip("\n"), encoding="utf-8")
    with pytest.raises(PlayFault) as caught:
        load_game(path).start(players=2, seed=1, engine=engine)
    assert caught.value.code == "no-progress"


@ENGINES
def test_much_is_not_endless(tmp_path: Path, engine: EngineName) -> None:
    path = tmp_path / "much.game"
    path.write_text(HEAD + ENDING.lstrip("\n"), encoding="utf-8")
    assert load_game(path).start(players=2, seed=1, engine=engine).over
