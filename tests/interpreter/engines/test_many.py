"""Large numbers of things: stored lists have room for all possible items."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.text.faults import RuleFault

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


KEPT = """game "Kept"
    players 2
piece Card
    copies = 700
    row card
zone deck: pile of Card
zone table: set of Card
setup
    move all from Card to deck
play
    let begun = list(card in deck)
    as sure(first(p in players))
        choose one of
            option "take {begun.size}"
                log "taken"
            option "wait"
                log "nothing"
        surely choose cards in begun, exactly 605
        move all from cards to table
score of p
    item "cards" = table.size + (if table is empty then 1 else 0)
winner p by p.total then shared
"""


PAIR = """game "Pair"
    players 2
piece Card
    copies = 4
    row ant
zone table: set of Card
player
    zone hand: set of Card
setup
    move all from Card to table
play
    each player
        surely choose pair in table, exactly 2
        move pair to me.hand
score of p
    item "cards" = p.hand.size
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("rules", "points"),
    [(PAIR, 2), (MANY, 700), (GUARDS, 9), pytest.param(KEPT, 605, marks=pytest.mark.slow)],
)
def test_many_pieces_have_room(tmp_path: Path, rules: str, points: int) -> None:
    path = tmp_path / "many.game"
    path.write_text(rules, encoding="utf-8")
    assert not load(path).check()
    state = load_game(str(path)).start(players=2, seed=1)
    while not state.over:
        state = state.choose(state.decision.options[0])
    assert [score.total for score in state.scores] == [points, points]


def test_a_list_that_is_too_long_to_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "kept.game"
    path.write_text(KEPT.replace("card in deck", "n in 1..30000"), encoding="utf-8")
    assert "a list of up to 30,000 things is too long" in load(path).check()[0].message


def test_many_numbers_are_counted(tmp_path: Path) -> None:
    """The number is read from the cell where it is stored: it was believed to be 0 or 1."""
    path = tmp_path / "many.game"
    counted = "state few: 0..9\nplay\n    set few to count(n in 1..30000 where n > seen)\n"
    path.write_text(MANY.replace("play\n", counted), encoding="utf-8")
    with pytest.raises(RuleFault, match="must be in 0"):
        load_game(str(path)).start(players=2, seed=1)
