"""After triggers are added, removed or changed, the problems are those of a first check, and no more is lowered."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.editing.workspace.checking import Memory
from tests.editing.test_reuse import counted_parts, findings, problems

GAME = """\
game "Watched"
    players 2..3
option long = no, yes
piece Card
    worth: 0..9
    row bale, 6
    row chest, 4
    row sack, 2
zone store: pile of Card
zone sold: pile of Card
token coin
zone bank: tokens of coin = 40
state round: 0..20
state last: Flag
state mood: 0..9
state favourite: Card or nothing = nothing
player
    zone hand: set of Card
    zone desk: spot of Card
    zone purse: tokens of coin
    state tired: Flag
value riches of p: Player = p.purse + sum(c in p.hand: c.worth)
value is_over = round >= 4
setup
    move all from Card to store
    if long is yes
        set last to yes
    each player
        surely move 3 from bank to me.purse
play
    repeat until is_over
        do count_up
        each player where me.in_play
            do turn
rule turn
    choose one of
        do sell
        do lay_open
        do pass
action sell(c in me.hand)
    do pay_out(c.worth)
    if favourite is not nothing
        surely move c to sold
        do liked(favourite.worth)
    else
        surely move c to sold
        set favourite to c
action lay_open(c in me.hand where me.desk is empty)
    surely move c to me.desk
action pass
    if store is not empty
        surely move 1 from store to me.hand
    else
        do rest
rule pay_out(amount: 0..99)
    surely move min(amount, bank) from bank to me.purse
rule rest
    set me.tired to no
rule liked(amount: 0..9)
    add min(amount, 9 - mood) to mood
rule count_up
    if favourite is not nothing
        add 1 to round
        do liked(favourite.worth)
    else
        add 1 to round
rule quiet
    if mood > 3
        set mood to 0
after turn
    do quiet
score of p
    item "money" = p.riches
winner p by p.total then shared
invariant "money stays" = bank + sum(p in players: p.purse) is 40
"""
TRIGGERS = [
    """\
whenever store is empty
    if long is yes
        set last to yes
""",
    """\
whenever p.purse changes by d for p in players
    if d > 2
        set p.tired to yes
""",
    """\
whenever card enters p.desk where card.worth > 3
    surely move 1 from bank to p.purse
""",
    """\
whenever card leaves store
    add 1 to mood
""",
    """\
whenever card enters sold where card is sack
    as sure(players.first)
        do rest
""",
    """\
whenever round is 3
    do quiet
""",
    """\
whenever players.size is 1
    end game
""",
    """\
whenever p.hand.size > 5 for p in players
    as p
        choose c in me.hand
        surely move c to store
""",
    """\
whenever mood changes by d
    if d > 0
        set last to no
""",
    """\
whenever card enters sold
    set favourite to nothing
""",
    """\
whenever round is 3
    set favourite to nothing
""",
    """\
before pay_out(n)
    needs n < 9
""",
]
WORDS = {
    "store": ["sold", "hand", "shop"],
    "desk": ["hand"],
    "purse": ["riches", "hand.size"],
    "enters": ["leaves"],
    "leaves": ["enters"],
    "round": ["mood"],
    "mood": ["round", "last"],
    "> 3": ["> 30", "is 3"],
    "set": ["add"],
    "sack": ["bale", "sacks"],
    "quiet": ["rest", "loud"],
    "to yes": ["to 1"],
}


def edit_triggers(texts: list[str], chance: random.Random) -> list[str]:
    """The triggers after one of them is added, removed, moved or changed."""
    texts = [*texts]
    match chance.randrange(5):
        case 0 if texts:
            texts.pop(chance.randrange(len(texts)))
        case 1:
            texts.insert(chance.randrange(len(texts) + 1), chance.choice(TRIGGERS))
        case 2:
            chance.shuffle(texts)
        case _ if texts:
            at = chance.randrange(len(texts))
            hit = [word for word in WORDS if word in texts[at]]
            if hit:
                word = chance.choice(hit)
                texts[at] = texts[at].replace(word, chance.choice(WORDS[word]), 1)
        case _:
            pass
    return texts


def many_edits(game: Path, number: int, chance: random.Random) -> None:
    files, memory = Files(), Memory()
    texts = chance.sample(TRIGGERS, 4)
    for step in range(number):
        files.given[game] = GAME + "".join(texts)
        again = problems(files, game, findings(files, game, memory))
        fresh = load(game, files=Files(dict(files.given))).check()
        assert again == {*map(repr, fresh)}, (step, texts)
        if fresh and chance.random() < 0.7:
            texts = [text for text in texts if text in TRIGGERS]
        texts = edit_triggers(texts, chance)


@pytest.mark.parametrize("seed", range(4))
def test_an_edit_of_triggers_equals_a_fresh_check(tmp_path: Path, seed: int) -> None:
    many_edits(tmp_path / "watched.game", 12, random.Random(seed))


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(4, 44))
def test_many_edits_of_triggers(tmp_path: Path, seed: int) -> None:
    many_edits(tmp_path / "watched.game", 40, random.Random(seed))


def test_facts_that_a_trigger_may_change_end_at_its_step(
    tmp_path: Path,
) -> None:
    game = tmp_path / "watched.game"
    files, memory = Files(), Memory()
    for more in ([], [9], [4], [9], [5], [10], [9, 10], [4, 5], [4, 10]):
        files.given[game] = GAME + "".join(TRIGGERS[n] for n in more)
        again = problems(files, game, findings(files, game, memory))
        assert len(again) == len({9, 10} & {*more})
        assert again == {*map(repr, load(game, files=Files(dict(files.given))).check())}


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ([2, 3], [2], {"rule lay_open", "rule pass", "rule sell", "rule turn"}),
        ([2, 4], [4], {"mover 0", "rule lay_open", "rule sell", "rule turn"}),
        ([5], [5, 6], {"trigger 1"}),
        ([1], [1, 7], {"trigger 1", "rule lay_open", "rule pass", "rule sell", "rule turn"}),
    ],
)
def test_only_what_sets_it_off_is_lowered(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    before: list[int],
    after: list[int],
    wanted: set[str],
) -> None:
    game = tmp_path / "watched.game"
    files, memory = Files(), Memory()
    files.given[game] = GAME + "".join(TRIGGERS[n] for n in before)
    assert problems(files, game, findings(files, game, memory)) == set()
    lowered = counted_parts(monkeypatch)
    files.given[game] = GAME + "".join(TRIGGERS[n] for n in after)
    assert problems(files, game, findings(files, game, memory)) == set()
    assert {*lowered} <= wanted
