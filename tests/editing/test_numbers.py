"""After an edit of a number of things, or of a fact that distant parts use, the problems are those of a first check."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.editing.workspace.checking import Memory
from tests.editing.test_reuse import counted_parts, findings, places, problems

DEALT = """\
game "Dealt"
    players 2
option long = no, yes
token penny
piece Fish from "fish.csv"
    copies = many
    weight: 0..9
    state fresh: 0..5 = weight
piece Bird from "birds.csv"
    copies = many
piece Card is Fish or Bird
zone deck: pile of Card
zone nest: set of Bird
player
    zone hand: set of Card
    zone purse: tokens of penny = 4
    state coins: 0..99
    state caught: 0..9
    state best: Fish or nothing = nothing
value catch of p: Player = count(c in p.hand where c in Fish)
value nests = nest.size
value weight_of(c: Card) = if c in Fish then c.weight else 0
setup
    move all from Fish to deck
    move all from Bird to nest
rule draw
    surely move 1 from deck to me.hand
rule count_fish
    set me.caught to me.catch
rule count_nests
    if nests > 3
        add 1 to me.coins
rule keep_best
    for each c in me.hand where c in Fish and c.weight > 3
        set me.best to c
rule weigh
    for each c in me.hand
        add weight_of(c) to me.coins
rule rot
    for each c in me.hand where c in Fish and c.fresh > 0
        lose 1 from c.fresh
rule rest
    add 1 to me.coins
    add me.purse to me.coins
invariant "as in the box" = count(f in Fish) <= 9
play
    each player
        if long
            do rest
        if deck is not empty
            do draw
        do count_fish
        do count_nests
        do keep_best
        do weigh
        do rot
        do rest
    end game
winner p by p.coins then shared
"""
TABLES = {
    "fish.csv": "name,many,weight\npike,3,4\ncarp,4,2\nroach,0,1\n",
    "birds.csv": "name,many\nheron,2\nduck,1\n",
}
FISH = {"rule draw", "rule count_fish", "rule keep_best", "rule weigh", "rule rot"}


@pytest.mark.parametrize(
    ("edits", "wanted", "reported"),
    [
        ([("fish.csv", "pike,3", "pike,7")], FISH, {"invariant-broken"}),
        ([("fish.csv", "pike,3", "pike,2")], FISH, set()),
        ([("fish.csv", "roach,0", "roach,1")], FISH, set()),
        # A kind that no longer has any things.
        ([("birds.csv", "heron,2", "heron,0"), ("birds.csv", "duck,1", "duck,0")], None, None),
        ([("fish.csv", "carp,4,2\nroach,0,1", "roach,0,1\ncarp,4,2")], None, None),
        ([("dealt.game", "weight: 0..9", "weight: 0..8")], None, set()),
        ([("dealt.game", "weight: 0..9", "weight: Flag")], None, None),
        (
            [("dealt.game", "    copies = many\n    weight", "    copies = many + 1\n    weight")],
            None,
            None,
        ),
        ([("dealt.game", "state caught: 0..9", "state caught: 0..8")], {"rule count_fish"}, None),
        ([("dealt.game", "state caught", "state cash: 0..9\n    state caught")], set(), None),
        # A different initial value is reported at its declaration.
        ([("fish.csv", "pike,3,4", "pike,3,5")], {"rule keep_best", "value weight_of"}, set()),
        ([("fish.csv", "pike,3,4", "pike,3,9")], None, {"out-of-range"}),
        ([("dealt.game", "caught: 0..9", "caught: 0..9 = 3")], set(), set()),
        ([("dealt.game", "caught: 0..9", "caught: 0..9 = 12")], None, {"out-of-range"}),
        ([("dealt.game", "of penny = 4", "of penny = 5")], set(), set()),
        ([("dealt.game", "of penny = 4", "of penny = 4 - 7")], None, {"out-of-range"}),
        ([("dealt.game", "fresh: 0..5 = weight", "fresh: 0..5 = 2")], None, set()),
        (
            [("dealt.game", "    state caught: 0..9\n", "    state caught: 0..9\n" * 2)],
            None,
            {"duplicate-name"},
        ),
    ],
)
def test_another_number_of_copies(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    edits: list[tuple[str, str, str]],
    wanted: set[str] | None,
    reported: set[str] | None,
) -> None:
    game = tmp_path / "dealt.game"
    texts = {game: DEALT} | {tmp_path / name: text for name, text in TABLES.items()}
    files, memory = Files(dict(texts)), Memory()
    begun = problems(files, game, findings(files, game, memory))
    lowered = counted_parts(monkeypatch)
    edited = dict(texts)
    for name, old, new in edits:
        assert old in edited[tmp_path / name]
        edited[tmp_path / name] = edited[tmp_path / name].replace(old, new, 1)
    for given in (edited, texts):
        files.given = dict(given)
        again, parts = findings(files, game, memory), {*lowered}
        if given is edited and wanted is not None:
            assert parts <= wanted
        fresh = findings(Files(dict(given)), game, None)
        lowered.clear()
        assert problems(files, game, again) == problems(Files(dict(given)), game, fresh)
        assert places(again) <= places(fresh)
        if given is edited and reported is not None:
            codes = {one.code for one in load(game, files=Files(dict(given))).check()}
            assert codes == reported
    assert begun == set()


EQUIVALENT = """\
game "Alike"
    players 2
piece Fish from "fish.csv"
    copies = many
zone pond: set of Fish
zone net: set of Fish
player
    state coins: 0..99
setup
    move all from Fish to pond
action land(a in pond, b in pond)
    say "land {a} and {b}"
    move a to net
    if a is not b
        add 1 to me.coins
        move b to net
rule fish
    choose one of
        do land
        option "wait"
            add 1 to me.coins
rule earn
    add 1 to me.coins
play
    each player
        do fish
        do earn
    end game
winner p by p.coins then shared
"""
LOOK = "    if any(f in net where f.copy is 1)\n        add 2 to me.coins\n"


def test_copies_are_one_option_while_nothing_tells_them_apart(tmp_path: Path) -> None:
    game, table = tmp_path / "alike.game", tmp_path / "fish.csv"
    few, many = "name,many\npike,60\n", "name,many\npike,70\n"
    reading = EQUIVALENT.replace("rule earn\n", f"rule earn\n{LOOK}")
    files, memory = Files({game: EQUIVALENT, table: few}), Memory()
    for text, rows, reported in (
        (EQUIVALENT, few, set()),
        (reading, few, set()),
        (reading, many, {"too-many-options"}),
        (EQUIVALENT, many, set()),
        (reading, many, {"too-many-options"}),
        (reading, few, set()),
    ):
        files.given = {game: text, table: rows}
        again = problems(files, game, findings(files, game, memory))
        fresh = load(game, files=Files(dict(files.given))).check()
        assert {one.code for one in fresh} == reported
        assert again == {*map(repr, fresh)}


HOOKED = """\
game "Hooked"
    players 2
player
    state coins: 0..99
action earn
    say "earn"
    add 1 to me.coins
after earn as p where p.coins > 3
    add 1 to p.coins
play
    each player
        choose one of
            do earn
            option "rest"
                add 1 to me.coins
    end game
winner p by p.coins then shared
"""


def test_steps_after_a_rule_are_checked_with_the_rule(tmp_path: Path) -> None:
    game = tmp_path / "hooked.game"
    files, memory = Files({game: HOOKED}), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    for condition, reported in (("p is 3", {"wrong-type"}), ("p.coins > 4", set())):
        files.given[game] = HOOKED.replace("p.coins > 3", condition)
        again = problems(files, game, findings(files, game, memory))
        fresh = load(game, files=Files(dict(files.given))).check()
        assert {one.code for one in fresh} == reported
        assert again == {*map(repr, fresh)}


CYCLES = """\
game "Cycles"
    players 2
option long = no, yes
value first = if long then second else 1
value second = first + 1
player
    state coins: 0..99
rule earn
    add second to me.coins
rule more
    add first to me.coins
play
    each player
        do earn
        do more
    end game
winner p by p.coins then shared
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("value first", "# again\nvalue first"),
        ("add second to", "add 2 to"),
        ("first + 1", "first + 2"),
        ("if long then second else 1", "second"),
    ],
)
def test_of_values_that_need_each_other_always_the_same_is_reported(
    tmp_path: Path, old: str, new: str
) -> None:
    game = tmp_path / "cycles.game"
    files, memory = Files({game: CYCLES}), Memory()
    findings(files, game, memory)
    files.given[game] = CYCLES.replace(old, new)
    again = problems(files, game, findings(files, game, memory))
    fresh = load(game, files=Files(dict(files.given))).check()
    assert again == {*map(repr, fresh)}
    assert [one.message for one in fresh] == ["`first` is needed to compute `first`"]


PASSED = """game "Passed"
    players 2
state pot: 0..20
player
    state last: 1..2
play
    repeat until pot is 20
        each player
            do turn
rule turn
    choose one of
        option "name {n}" for n in 1..2 where n is not me.last
            set me.last to n
        option "add"
            add 1 to pot
winner p by p.last then shared
"""


def test_a_number_decides_whether_an_option_is_always_there(tmp_path: Path) -> None:
    game = tmp_path / "passed.game"
    files, memory = Files({game: PASSED.replace("1..2 where", "1..1 where")}), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    files.given[game] = PASSED
    again = findings(files, game, memory)
    fresh = load(game, files=Files({game: PASSED})).check()
    assert [one.code for one in fresh] == ["endless-loop"]
    assert problems(files, game, again) == {*map(repr, fresh)}
