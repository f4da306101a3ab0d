"""The line that names the winners at the end of a match."""

from __future__ import annotations

from pathlib import Path

from rulewright import load_game
from rulewright.interpreter.questions.drawing import ending


def test_a_side_of_one_player_wins_alone(tmp_path: Path) -> None:
    path = tmp_path / "sides.game"
    path.write_text(
        """game "Sides"
    players 2
kind Army = attackers, defenders
side of p: Army = if p.number is 1 then attackers else defenders
play
    each player
        may "win"
            win me
            end game
"""
    )
    state = load_game(path).start(2).choose("yes")
    assert next(iter(ending(state))) == "The game is over: player 1 wins (attackers)."
