"""Arguments and the types of the parameters that they are for."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """\
game "Notes"
    players 2
state total: 0..9
rule note(n: 1..3 or nothing)
    if n is nothing
        add 1 to total
play
    do note(GIVEN)
winner p by 1 then shared
"""


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        ("2", []),
        ("nothing", []),
        ("4", ["`n` is 1..3, but this is the number 4"]),
    ],
)
def test_a_number_or_nothing(tmp_path: Path, given: str, reported: list[str]) -> None:
    game = tmp_path / "notes.game"
    game.write_text(GAME.replace("GIVEN", given), encoding="utf-8")
    assert [one.message for one in load(game).check()] == reported
