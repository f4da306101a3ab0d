"""Disclosed choices of others: bare values if all players see their effects, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.knowledge.information_set import information
from rulewright.interpreter.matches.events import chosen_text
from rulewright.interpreter.matches.game import game_of

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
SECRET = """player
    state secret: 0..3 = 0, seen by owner
"""
DECK = """piece Card
    row ace
zone deck: pile of Card, seen by nobody except size
setup
    move all from Card to deck
player
"""
UNKNOWN = """state nobody_knows: 0..3, seen by nobody
player
"""
AFTER = """            choose one of
                option "now"
                option "at once"
            set"""
UNDER = """            if taken > 0
                set"""
PUT = """rule put(number: 1..3)
    set me.luck to number
"""
BESIDE = TEXT.replace("player\n", SECRET, 1)
TOGETHER = TEXT.replace("each player", "together each player").replace(
    "            set me.luck to taken\n", ""
)


@pytest.mark.parametrize(
    ("text", "logged"),
    [
        (TEXT, "how many? 2"),
        (TEXT.replace("= 0\n", "= 0, seen by owner\n", 1), 'answers "how many?"'),
        (BESIDE, "how many? 2"),
        (BESIDE.replace("            set", AFTER), 'answers "how many?"'),
        (BESIDE.replace("            set", UNDER), 'answers "how many?"'),
        (
            BESIDE.replace("set me.luck to taken", "do put(taken)"),
            "how many? 2",
        ),
        (
            TEXT.replace("player\n", UNKNOWN, 1).replace("            set", UNDER),
            'answers "how many?"',
        ),
        (TEXT.replace("player\n", DECK, 1).replace("            set", UNDER), "how many? 2"),
        (TOGETHER, 'answers "how many?"'),
        (
            TOGETHER.replace('"how many?"', '"how many, with {me.luck} so far?"'),
            'answers "how many?"',
        ),
        (
            TOGETHER.replace('"how many?"', '"how many besides the {me.luck} of now?"'),
            'answers "how many besides the ...?"',
        ),
    ],
    ids=[
        "nothing is hidden",
        "it is hidden",
        "something else is hidden",
        "it comes out behind another decision",
        "it may come out",
        "it comes out in a rule",
        "something else is hidden from all",
        "nobody has anything to hide",
        "chosen together",
        "chosen together, with a number behind a comma",
        "chosen together, with a number",
    ],
)
def test_a_bare_value_is_reported_where_all_see_what_becomes_of_it(
    text: str, logged: str, tmp_path: Path
) -> None:
    path = tmp_path / "heap.game"
    path.write_text(text + (PUT if "do put" in text else ""))
    game = game_of("heap", load(path))
    before = game.start(seed=1)
    after = before.choose("2")
    assert chosen_text(before, after, 1) == logged
    assert chosen_text(before, after, 0) == f"{before.decision.prompt} 2"
    known = "player 1: 2" if logged == "how many? 2" else "player 1: ?"
    assert known in information([before, after], 1).split("\n")


PLAYED = """game "Trick"
    players 2
piece Card
    row ace
    row jack
    row king
    row queen
zone deck: pile of Card, seen by nobody except size
player
    zone hand: set of Card, seen by owner except size
    zone table: spot of Card
setup
    move all from Card to deck
    shuffle deck
    each player
        surely move 2 from deck to me.hand
play
    each player
        surely do play_card
        move all from me.table to deck
        shuffle deck
    end game
action play_card(card in me.hand)
    move card to me.table
score of p
    item "none" = 0
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("text", "logged"),
    [
        (PLAYED, True),
        (PLAYED.replace("move card to me.table", "move card to deck"), False),
        (PLAYED.replace("move card", "if openly(card is ace)\n        move card"), False),
    ],
    ids=["it lies open in between", "it is laid aside", "it may lie open"],
)
def test_cards_open_during_a_step_are_reported_wherever_they_end(
    text: str, logged: bool, tmp_path: Path
) -> None:
    path = tmp_path / "trick.game"
    path.write_text(text)
    before = game_of("trick", load(path)).start(seed=1)
    option = before.decision.options[0]
    after = before.choose(option)
    text = f"play card: {option.name.removeprefix('play_card(').removesuffix(')')}"
    assert chosen_text(before, after, 1) == (text if logged else 'answers "play which card?"')


MARKED = """game "Marks"
    players 2
piece Card
    state mark: 0..3
    row ace
    row jack
    row king
    row queen
zone deck: pile of Card, seen by nobody except size
zone street: set of Card
player
    zone hand: set of Card, seen by owner except size
setup
    move all from Card to deck
    shuffle deck
    each player
        surely move 2 from deck to me.hand
play
    each player
        surely choose card in me.hand
        {step}
        choose one of
            option "go on"
score of p
    item "cards" = p.hand.size
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("step", "logged"),
    [
        ("set card.mark to 2", False),
        ("add 1 to card.mark", False),
        ("move card to street", True),
    ],
)
def test_a_mark_on_a_hidden_piece_does_not_lay_it_open(
    step: str, logged: bool, tmp_path: Path
) -> None:
    path = tmp_path / "marks.game"
    path.write_text(MARKED.format(step=step))
    before = game_of("marks", load(path)).start(seed=1)
    name = before.decision.names[0]
    after = before.choose(name)
    assert (name in chosen_text(before, after, 1)) is logged
    assert name in chosen_text(before, after, 0)
