"""Facts that follow from a condition hold only until something changes them: directly, through a value, by a
trigger.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from rulewright import load_game
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.text.faults import RuleFault

GAME = """game "Facts"
    players 2
piece Card
    rank: 1..9
    row one, 1
    row two, 2
zone deck: pile of Card
zone table: set of Card
state flag: Flag
player
    state coins: 0..9 = 2
    state mood: 0..3
    state fame: 0..3
    zone hand: set of Card
setup
    move all from Card to deck
value rest = deck.size
value upper = deck.top
value wealth of p: Player = p.coins
whenever p.mood > 0 for p in players
    set p.fame to 1
whenever p.fame > 0 for p in players
    lose 1 from p.coins
whenever card enters p.hand
    lose 1 from p.coins
rule lose_two
    lose 2 from me.coins
action spend
    do lose_two
play
    each player
        if {known}
{steps}
            {last}
score of p
    item "points" = p.coins + p.mood + (if flag then 1 else 0) + rest + p.wealth + p.fame
    item "cards" = p.hand.size + (if upper is nothing then 1 else 0)
    item "table" = table.size
winner p by p.total then shared
"""
CHANGES = {
    "lose": "lose 2 from me.coins",
    "set": "set me.coins to 0",
    "roll": "roll me.coins in 0..1",
    "of a local name": "let other = me\nset other.coins to 0",
    "surely": "surely do lose_two",
    "do": "do lose_two",
    "may": 'may "x"\n    lose 2 from me.coins',
    "may do": "may do spend",
    "as": "as me.left\n    lose 2 from me.left.coins",
    "phase": 'phase "x"\n    lose 2 from me.coins',
    "each player": "each player\n    lose 2 from me.coins",
    "together": "together each player\n    lose 2 from me.coins",
    "for each": "for each p in players\n    lose 2 from p.coins",
    "any order": "for each p in players, any order\n    lose 2 from p.coins",
    "repeat": "repeat 2 times\n    lose 2 from me.coins",
    "while": "repeat while me.coins > 5\n    lose 2 from me.coins",
    "if": "if flag\n    lose 2 from me.coins",
    "else": "if flag\n    set flag to no\nelse\n    lose 2 from me.coins",
    "if possible": "if possible\n    lose 2 from me.coins",
    "otherwise": "if possible\n    needs flag\notherwise\n    lose 2 from me.coins",
    "at once": "at once\n    lose 2 from me.coins",
    "option": 'choose one of\n    option "a"\n        lose 2 from me.coins\n    option "b"\n        skip',
    "a trigger": "set me.fame to 1",
    "a trigger of a trigger": "add 1 to me.mood",
    "a trigger on what enters": "move up to 1 from deck to me.hand",
}


def codes(path: Path, known: str, steps: str, last: str) -> list[str]:
    steps = indent(steps, " " * 12)
    path.write_text(GAME.format(known=known, steps=steps, last=last), encoding="utf-8")
    return [problem.code for problem in load(path).check() if problem.severity.name == "ERROR"]


@pytest.mark.parametrize("change", CHANGES)
def test_facts_about_a_state_end_when_it_may_change(tmp_path: Path, change: str) -> None:
    path = tmp_path / "facts.game"
    known, last = "me.coins >= 2", "pay 2 from me.coins"
    assert codes(path, known, CHANGES[change], last) == ["may-be-impossible"]
    assert codes(path, known, "set flag to yes", last) == []


def test_facts_about_a_value_end_when_it_may_change(tmp_path: Path) -> None:
    path = tmp_path / "facts.game"
    known, last = "upper is not nothing", "set me.mood to min(3, upper.rank)"
    assert codes(path, known, "move up to 1 from deck to table", last) == ["may-be-nothing"]
    assert codes(path, known, "add 1 to me.coins", last) == []


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_a_range_that_was_known_of_a_value_is_forgotten(tmp_path: Path, engine: EngineName) -> None:
    path = tmp_path / "facts.game"
    steps = "add 5 to me.coins\nset me.mood to me.wealth"
    assert codes(path, "me.wealth <= 3", steps, "set flag to yes") == []
    game = load_game(str(path))
    with pytest.raises(RuleFault) as fault:
        game.start(players=2, engine=engine)
    assert fault.value.code == "out-of-range"


KNOWN = """game "Known"
    players 2
piece Card
    row one
    row two
zone deck: pile of Card
state place: 0..1
player
    state coins: 0..9
    state friend: Player or nothing
    zone hand: set of Card
setup
    move all from Card to deck
play
    each player
        choose one of
            option "make a friend"
                set me.friend to me.left
            option "go on"
                repeat 3 times
                    let card = deck.top
                    log "{{card}}"
{steps}
score of p
    item "points" = p.coins + p.hand.size + place
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("steps", "codes"),
    [
        ("set place to card.position", ["may-be-nothing"]),
        ("if card is nothing\n    stop\nset place to card.position", []),
        ('if card is nothing\n    log "gone"\n    stop\nset place to card.position', []),
        ("if card is nothing\n    skip\nset place to card.position", []),
        (
            "if card is nothing\n    add 1 to me.coins\nset place to card.position",
            ["may-be-nothing"],
        ),
        ("if card is nothing\n    stop\nelse\n    set place to card.position", []),
        ("if card is nothing or place is 1\n    stop\nset place to card.position", []),
        (
            "if card is nothing and place is 1\n    stop\nset place to card.position",
            ["may-be-nothing"],
        ),
        ("if card is not nothing\n    set place to card.position", []),
        ("set me.friend.coins to 1", ["may-be-nothing"]),
        ("if me.friend is not nothing\n    set me.friend.coins to 1", []),
        ("add me.friend.coins to me.coins", ["may-be-nothing"]),
    ],
)
def test_facts_hold_after_a_condition(tmp_path: Path, steps: str, codes: list[str]) -> None:
    path = tmp_path / "known.game"
    path.write_text(KNOWN.format(steps=indent(steps, " " * 20)), encoding="utf-8")
    assert [problem.code for problem in load(path).check()] == codes
