"""A rule that needs an acting player may not be called where nobody acts, whatever it needs the player for."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load

GAME = """game "Nobody"
    players 2

state pot: 0..99

player
    state coins: 0..9 = 1

value savings(n: 0..9) = me.coins + n
value both of p: Player = p.coins + me.coins

play
    do start
    end game

rule start
    do fill

winner p by p.coins then shared

"""


def _messages(folder: Path, rules: str) -> list[str]:
    path = folder / "nobody.game"
    return [one.message for one in load(path, files=Files({path: GAME + rules})).check()]


@pytest.mark.parametrize(
    "rules",
    [
        "rule fill\n    add me.coins to pot\n",
        "rule fill\n    add savings(1) to pot\n",
        "rule fill\n    for each p in players\n        add p.both to pot\n",
        "rule fill\n    add 1 to pot\nafter fill\n    add me.coins to pot\n",
        "rule fill\n    add 1 to pot\nafter fill as p\n    add p.coins to pot\n",
        "rule fill\n    for each p in players, any order\n        add p.coins to pot\n",
        "rule fill\n    do take\naction take(n in 1..2)\n    add n to pot\n",
        "rule fill\n    each player from me.left\n        add me.coins to pot\n",
        "rule fill\n    as me\n        add 1 to pot\n",
        "rule fill\n    if possible(take)\n        add 1 to pot\naction take\n    pay 1 from pot\n",
    ],
)
def test_a_rule_that_needs_an_acting_player_is_refused(tmp_path: Path, rules: str) -> None:
    refusal = "`start` uses `me` or asks a player, but nobody is acting here"
    assert refusal in _messages(tmp_path, rules)


@pytest.mark.parametrize(
    "rules",
    [
        "rule fill\n    each player where me.coins > 0\n        add savings(1) to pot\n",
        "rule fill\n    each player\n        do take\naction take(n in 1..2)\n    add n to pot\n",
        "rule fill\n    for each p in players\n        as p\n            add p.both to pot\n",
    ],
)
def test_in_turns_of_players_somebody_acts(tmp_path: Path, rules: str) -> None:
    assert "nobody is acting" not in "\n".join(_messages(tmp_path, rules))
