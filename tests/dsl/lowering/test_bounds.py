"""`check` tests the limits that a game sets for its matches, even without making a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """\
game "Steps"
    players 2
    SETTING
option deep = 3, 12000
state n: 0..9
rule up
    add 1 to n
    if n < 5 and n < deep
        do up
play
    do up
    end game
winner p by 1 then shared
"""


@pytest.mark.parametrize(
    ("setting", "reported"),
    [
        ("depth 5", ""),
        ("depth 10000", ""),
        ("depth 5\n    lookahead 1", ""),
        ("depth many", "`depth` must be known before the game starts"),
        ("depth 0", "`depth` is a number from 1 to 10,000, but this is 0"),
        ("depth 10001", "`depth` is a number from 1 to 10,000, but this is 10,001"),
        ("depth deep", "`depth` is a number from 1 to 10,000, but this is 12,000"),
        ("depth 5\n    lookahead n", "`lookahead` must be known before the game starts"),
        (
            "depth 5\n    lookahead 0",
            "`lookahead` is a number from 1 to 999,999,999, but this is 0",
        ),
    ],
)
def test_bounds_of_a_play(tmp_path: Path, setting: str, reported: str) -> None:
    game = tmp_path / "steps.game"
    game.write_text(GAME.replace("SETTING", setting), encoding="utf-8")
    assert [one.message for one in load(game).check()] == [reported] * bool(reported)
    loaded = load(game)
    program = loaded.program(2, {"deep": "12000"})
    assert (program is None) == bool(reported)
