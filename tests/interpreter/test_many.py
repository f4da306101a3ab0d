"""Many at once: what is kept in a frame has room for all there can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading import load
from rulewright.interpreter import load_game

MANY = """game "Many"
    players 2
piece Card
    copies = 700
    row card
zone deck: pile of Card
zone table: set of Card
state gone: 0..9999
state come: 0..9999
state seen: 0..9999
state asked: 0..9999
setup
    move all from Card to deck
whenever card leaves deck
    add 1 to gone
    if gone is 650
        roll asked in 1..3
whenever card enters table
    add 1 to come
    if come is 650
        roll asked in 1..3
whenever card in table for card in Card
    add 1 to seen
    if seen is 650
        roll asked in list(n in 1..700 where n > gone - 700)
action move_all
    move all from deck to table
play
    each player
        choose one of
            do move_all
            option "wait"
                log "nothing"
    if asked > 0
        log "{asked}"
score of p
    item "cards" = if gone is come and come is seen then gone else 9999
winner p by p.total then shared
"""
GUARDS = """game "Guards"
    players 2
piece Card
    copies = 9
    row guard
zone deck: pile of Card
state hits: 0..99
player
    zone hand: set of Card
setup
    move all from Card to deck
power guard in p.hand
    after draw as p
        add 1 to hits
        roll hits in hits..hits
action draw
    move up to 9 from deck to me.hand
play
    each player
        choose one of
            do draw
            option "wait"
                log "nothing"
score of p
    item "hits" = hits
winner p by p.total then shared
"""


@pytest.mark.parametrize(("rules", "points"), [(MANY, 700), (GUARDS, 9)])
def test_there_is_room(tmp_path: Path, rules: str, points: int) -> None:
    path = tmp_path / "many.game"
    path.write_text(rules, encoding="utf-8")
    assert not load(path).check()
    state = load_game(str(path)).start(players=2, seed=1)
    while not state.over:
        state = state.choose(state.decision.options[0])
    assert [score.total for score in state.scores] == [points, points]
