"""What a player is told of the choices of others: bare values where nothing is hidden, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.knowing.information import information
from rulewright.interpreter.plays.events import chosen_text
from rulewright.interpreter.plays.game import game_of

TEXT = """game "Heap"
    players 2
player
    state luck: 0..3 = 0
play
    repeat 3 times
        each player
            surely choose taken in 1..3 prompt "how many?"
            set me.luck to taken
score of p
    item "luck" = p.luck
winner p by p.total then shared
"""
TOGETHER = TEXT.replace("each player", "together each player").replace(
    "            set me.luck to taken\n", ""
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TEXT, "taken 2"),
        (TEXT.replace("= 0\n", "= 0, seen by owner\n", 1), "chooses taken"),
        (TOGETHER, "chooses taken"),
    ],
    ids=["nothing is hidden", "something is hidden", "chosen together"],
)
def test_a_bare_value_is_told_where_nothing_is_hidden(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "heap.game"
    path.write_text(text)
    game = game_of("heap", load(path))
    before = game.start(seed=1)
    after = before.choose("2")
    assert chosen_text(before, after, 1) == told
    assert chosen_text(before, after, 0) == "taken 2"
    known = "player 1: 2" if told == "taken 2" else "player 1: ?"
    assert known in information([before, after], 1).split("\n")
