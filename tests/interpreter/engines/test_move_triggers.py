"""Triggers on moves run for each piece that has entered, even if they move pieces further."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import load_game

GAME = """\
game "Tray"
    players 2
piece Coin
    row penny
    row dime
    row crown
zone purse: pile of Coin
zone tray: pile of Coin
zone drain: pile of Coin
state met: 0..99
setup
    move all from Coin to purse
whenever c enters tray
    move c to drain
    STEP
play
    move all from purse to tray
    each player
        choose one of
            option "count"
                log "{met}, {drain.size}"
    end game
"""


@pytest.mark.parametrize("step", ["add 1 to met", "roll n in 1..1\n    add n to met"])
def test_a_trigger_that_moves_pieces_on_runs_for_all_that_entered(
    tmp_path: Path, step: str
) -> None:
    path = tmp_path / "tray.game"
    path.write_text(GAME.replace("STEP", step), encoding="utf-8")
    state = load_game(path).start(2, 0)
    after = state.choose("count")
    assert [entry.text for entry in after.log] == ["3, 3"]
