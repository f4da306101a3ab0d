"""After an edit, leaks of secrets are found as in a first check, although most facts are reused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.editing.workspace.checking import Memory
from tests.editing.test_reuse import findings, problems

HIDDEN = """\
game "Hidden"
    players 2
    depth 9
option long = no, yes
piece Card
    worth: 0..9
    row ace, 1
    row king, 4
table Steps from "steps.csv" key level
    least: 0..9
zone deck: set of Card
player
    zone hand: set of Card, seen by owner
    state coins: 0..99
    state lucky: 1..9, seen by owner
setup
    move all from Card to deck
rule reveal
    show me.hand to players
rule first
    do second
    do reveal
rule second
    if me.coins > 3
        do first
    else
        do reveal
rule one
    do reveal
    if any(c in me.hand: c.worth > 3)
        add 1 to me.coins
rule three
    if any(c in me.hand: c.worth > 2)
        for each c in me.hand where c.worth > 2
            show c to players
        add 1 to me.coins
rule two
    do second
    if any(c in me.hand: c.worth > 2)
        add 1 to me.coins
rule bid
    if possible
        choose n in 1..Steps(1).least where n is not me.lucky
        add n to me.coins
    otherwise
        add 1 to me.coins
rule turn
    choose one of
        option "one"
            do one
        option "two"
            do two
        option "three"
            do three
        option "bid"
            do bid
play
    each player
        do turn
        if long
            do turn
    end game
winner p by p.coins then shared
"""
STEPS = "level,least\n1,2\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "reported"),
    [
        ("hidden.game", "show me.hand to players", "add 1 to me.coins", "secret-leak"),
        ("hidden.game", "    else\n        do reveal\n", "", "secret-leak"),
        ("hidden.game", "worth > 3", "worth > 1", None),
        # A number decides whether the pieces that are shown are those of the condition.
        ("hidden.game", "where c.worth > 2\n", "where c.worth > 3\n", "secret-leak"),
        # A recursive rule reveals less inside its own analysis than elsewhere.
        ("hidden.game", "rule one\n    do reveal", "rule one\n    do first", "secret-leak"),
        # A cell guarantees that there is always an option, whatever the lucky number is.
        ("steps.csv", "1,2", "1,3", None),
        ("steps.csv", "1,2", "1,1", "secret-leak"),
    ],
)
def test_leaks_appear_and_vanish_with_edits(
    tmp_path: Path, file: str, old: str, new: str, reported: str | None
) -> None:
    game = tmp_path / "hidden.game"
    texts = {game: HIDDEN, tmp_path / "steps.csv": STEPS}
    files, memory = Files(dict(texts)), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    edited = texts[tmp_path / file].replace(old, new)
    assert edited != texts[tmp_path / file]
    for text in (edited, texts[tmp_path / file]):
        files.given = {**texts, tmp_path / file: text}
        looks = findings(files, game, memory)
        fresh = load(game, files=Files(dict(files.given))).check()
        assert problems(files, game, looks) == {*map(repr, fresh)}
        assert {one.code for one in fresh} == ({reported} - {None} if text == edited else set())


UNSEEN = """\
game "Unseen"
    players 2
piece Card
    worth: 0..9
    state worn: 0..3
    row ace, 1
    row king, 4
zone deck: pile of Card, seen by nobody
zone street: set of Card
zone pit: set of Card
zone bin: set of Card
player
    zone hand: set of Card, seen by owner
    state coins: 0..99
setup
    move all from Card to deck
    shuffle deck
    each player
        move 1 from deck to me.hand
whenever c enters bin
    move all from deck to pit
    move all from street to me.hand
whenever p.coins > 3 for p in players
    log "rich"
play
    each player
        do turn
    end game
rule turn
    show me.hand to players
    move all from pit to bin
    if any(c in me.hand: c.worth > 3)
        add 1 to me.coins
winner p by p.coins then shared
"""


TURN = UNSEEN[UNSEEN.index("    show me.hand") : UNSEEN.index("winner")]
MOVED = "move all from deck to pit\n    move all from street to me.hand"


@pytest.mark.parametrize(
    ("turn", "moved", "old", "new"),
    [
        # The trigger moves between the same zones, but now cards enter the hand unseen.
        (
            TURN,
            MOVED,
            MOVED,
            "move all from deck to me.hand\n    move all from street to pit",
        ),
        # Players who learn all hands recognise the worn cards.
        (
            "    for each c in me.hand where c.worth > 2\n        set c.worn to 1\n",
            "move all from deck to pit",
            'log "rich"',
            "for each c in p.hand\n        show c to players",
        ),
    ],
    ids=("cards enter", "cards are shown"),
)
def test_an_edit_of_a_trigger_may_make_other_rules_leak(
    tmp_path: Path, turn: str, moved: str, old: str, new: str
) -> None:
    game, text = tmp_path / "unseen.game", UNSEEN.replace(TURN, turn).replace(MOVED, moved)
    files, memory = Files({game: text}), Memory()
    before = problems(files, game, findings(files, game, memory))
    assert not any("secret-leak" in one for one in before)
    files.given[game] = text.replace(old, new)
    after = problems(files, game, findings(files, game, memory))
    assert after == {*map(repr, load(game, files=Files(dict(files.given))).check())}
    assert any("secret-leak" in one for one in after)


HOLDER = """\
game "Holder"
    players 2
piece Card
    row ace
    row king
zone street: pile of Card
player
    zone hand: set of Card, seen by owner
setup
    move all from Card to street
    each player
        move up to 1 from street to me.hand
rule tell(c: Card)
    if c.holder is me
        log "mine"
rule turn
    if street is not empty
        do tell(sure(street.top))
play
    each player
        do turn
    end game
score of p
    item "cards" = 0
winner p by p.total then shared
"""


def test_an_edit_of_a_call_may_make_an_unchanged_rule_leak(tmp_path: Path) -> None:
    # The type of `c` says that a hidden zone may hold it. The edit does not lower `tell` again.
    game = tmp_path / "holder.game"
    files, memory = Files({game: HOLDER}), Memory()
    before = problems(files, game, findings(files, game, memory))
    assert not any("secret-leak" in one for one in before)
    files.given[game] = HOLDER.replace("sure(street.top)", "ace")
    after = problems(files, game, findings(files, game, memory))
    assert after == {*map(repr, load(game, files=Files(dict(files.given))).check())}
    assert any("secret-leak" in one for one in after)
