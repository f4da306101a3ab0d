"""After an edit of the things of a game, the problems are those of a first check, and only dependent parts are
lowered.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Severity
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.editing.workspace.checking import Memory
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.editing.edits import (
    edit_text,
    edited_kinds,
    edited_lists,
    edited_rows,
    edited_table,
)
from tests.editing.test_reuse import counted_parts, findings, places, problems

DEALT = """\
game "Dealt"
    players 2
option long = no, yes
option scale = small, large
kind Suit = red, green "G", blue
kind Mood = calm, wild
token penny
die d6 = 1, 2, 3
piece Fish from "fish.csv"
    copies = many
    suit: Suit
    weight: 0..9
piece Bird from "birds.csv"
    copies = many
piece Card is Fish or Bird
space Pool from "pools.csv"
    depth: 0..9
table Prize from "prizes.csv" key place
    gain: 0..9
zone deck: pile of Card
zone box: set of Fish
state mood: Mood = calm
state is_late: Flag
whenever f enters box where is_late and f.weight > 3
    set is_late to no
player
    zone hand: set of Card
    zone purse: tokens of penny = 4
    state coins: 0..999
    state seen: set of Bird
    state last: Suit or nothing = nothing
value heavy of f: Fish = f.weight > 3
value all_fish = count(f in Fish)
setup
    move all from Fish to deck
    move all from Bird to deck
rule draw
    surely move 1 from deck to me.hand
rule count_hand
    add me.hand.size to me.coins
rule weigh
    for each c in me.hand where c in Fish
        add c.weight to me.coins
rule like_pike
    for each c in me.hand where c is pike
        add pike.weight to me.coins
rule paint
    for each s in Suit
        set me.last to s
rule tell
    if me.last is not nothing
        add by(me.last: red then 1, green then 2, blue then 3) to me.coins
rule calm_down
    set mood to calm
rule measure
    for each p in Pool
        add p.depth to me.coins
rule count_heavy
    add count(c in me.hand where c in Fish and c.heavy) to me.coins
rule remember
    for each c in me.hand where c in Bird
        add c to me.seen
rule throw
    roll r = 2 of d6
    add r to me.coins
rule win
    for each n in 1..2
        add Prize(n).gain to me.coins
rule win_the_first
    add Prize(1).gain to me.coins
rule rest
    add 1 to me.coins
    add me.purse to me.coins
rule pack
    if any(c in me.hand where c in Fish)
        choose c in me.hand where c in Fish
        move c to box
rule large_only
    if scale is large
        do rest
play
    each player
        if deck is not empty
            do draw
        do count_hand
        do weigh
        do like_pike
        do paint
        do tell
        do calm_down
        do measure
        do count_heavy
        do remember
        do throw
        do win
        do win_the_first
        do pack
        do large_only
        if long
            do rest
    end game
winner p by p.coins then shared
invariant "as in the box" = all_fish <= 12
"""
TABLES = {
    "fish.csv": "name,many,suit,weight\npike,3,red,4\ncarp,4,G,2\nroach,0,blue,1\n",
    "birds.csv": "name,many\nheron,2\nduck,1\n",
    "prizes.csv": "place,gain,loss\n1,5,1\n2,3,1\n",
    "pools.csv": "name,depth\npond,2\nlake,7\nsea,9\n",
}
FISH = {
    *("rule draw", "rule count_hand", "rule weigh", "rule like_pike", "rule count_heavy"),
    *("rule pack", "mover 0"),
}
HANDS = {*FISH, "rule remember", "value all_fish"}
"""Readers of the number of cards that there can be."""


@pytest.mark.parametrize(
    ("file", "old", "new", "wanted", "reported"),
    [
        # A column is read during play, so only code that names a row depends on its cells.
        ("fish.csv", "pike,3,red,4", "pike,3,red,5", {"rule like_pike"}, set()),
        ("fish.csv", "carp,4,G,2", "carp,4,blue,2", set(), set()),
        ("pools.csv", "lake,7", "lake,6", set(), set()),
        ("pools.csv", "lake,7", "lake,12", None, {"table-bad-cell"}),
        ("pools.csv", "pond,2\nlake,7\nsea,9", "pond,2\nlake,2\nsea,2", None, set()),
        ("prizes.csv", "2,3", "2,4", {"rule win_the_first"}, set()),
        ("prizes.csv", "1,5", "1,4", {"rule win_the_first"}, set()),
        ("prizes.csv", "1,5", "1,3", None, set()),
        ("prizes.csv", "2,3,1", "2,3,1\n3,2,0", {"rule win", "rule win_the_first"}, set()),
        ("dealt.game", "gain: 0..9", "gain: 0..9\n    loss: 0..9", None, set()),
        ("dealt.game", "gain: 0..9", "loss: 0..9", None, {"unknown-attribute"}),
        # Readers of the number of copies.
        ("fish.csv", "pike,3", "pike,4", HANDS, set()),
        ("fish.csv", "pike,3", "pike,9", HANDS, {"invariant-broken"}),
        # Rows that are added, removed and renamed.
        ("fish.csv", "carp,4", "trout,1,red,3\ncarp,4", HANDS, set()),
        ("fish.csv", "carp,4", "crap,4", {"rule like_pike"}, set()),
        ("fish.csv", "pike,", "pikes,", {"rule like_pike"}, {"unknown-name"}),
        ("fish.csv", "pike,", "red,", None, None),
        ("birds.csv", "duck,1\n", "", HANDS, set()),
        ("birds.csv", "heron,2\nduck,1\n", "", None, None),
        ("birds.csv", "duck,", "pike,", None, None),
        ("pools.csv", "sea,9", "sea,9\nbay,3", {"rule measure"}, set()),
        ("fish.csv", "carp,4,G,2\nroach,0,blue,1", "roach,0,blue,1\ncarp,4,G,2", None, set()),
        # Values of kinds and options, members of unions.
        (
            "dealt.game",
            "red, green",
            "red, gold, green",
            {"rule paint", "rule tell"},
            {"wrong-arguments"},
        ),
        ("dealt.game", "= red, green", "= redd, green", None, None),
        ("dealt.game", 'green "G"', 'green "H"', None, None),
        ("dealt.game", "calm, wild", "calm, wild, cross", set(), None),
        ("dealt.game", "calm, wild", "wild, calm", {"rule calm_down"}, None),
        ("dealt.game", "calm, wild", "cool, wild", {"rule calm_down"}, {"unknown-name"}),
        ("dealt.game", "small, large", "small, middling, large", None, None),
        ("dealt.game", "small, large", "small, huge", None, None),
        ("dealt.game", "is Fish or Bird", "is Fish", None, None),
        ("dealt.game", "is Fish or Bird", "is Bird or Fish", None, None),
        # Declarations that are added or removed.
        ("dealt.game", "token penny\n", "token penny\ntoken pound\n", set(), None),
        ("dealt.game", "token penny\n", "", None, {"unknown-name"}),
        ("dealt.game", "= 1, 2, 3", "= 1, 2, 4", None, None),
        ("dealt.game", "die d6 = 1, 2, 3\n", "", None, {"unknown-name"}),
        ("dealt.game", "kind Mood = calm, wild\n", "", None, None),
        ("dealt.game", "kind Mood", "kind Age = old, young\nkind Mood", set(), None),
        ("dealt.game", "kind Mood", "kind coins = old, young\nkind Mood", None, None),
        ("dealt.game", "kind Mood", "option wet = no, yes\nkind Mood", None, None),
        ("dealt.game", "option long = no, yes\n", "", None, {"unknown-name"}),
        # Kinds of pieces and spaces, and columns, that are added, removed or renamed.
        ("dealt.game", "token penny", "piece Coin\n    copies = 3\ntoken penny", set(), None),
        (
            "dealt.game",
            "space Pool",
            "space Hut\n    zone inside: set of Fish\n    row first\nspace Pool",
            {"stored inside 0", "rule pack"},
            None,
        ),
        (
            "dealt.game",
            "space Pool",
            "space Hut\n    zone inside: set of Fish\n    row pike\nspace Pool",
            {"stored inside 0", "rule pack", "rule like_pike"},
            None,
        ),
        ("dealt.game", "piece Bird from", "piece Birds from", None, None),
        ("dealt.game", "    weight: 0..9", "    heavy_weight: 0..9", None, None),
        ("dealt.game", "    weight: 0..9", "    weight: Flag", None, None),
        ("dealt.game", "    weight: 0..9", "    weight: 0..9\n    color: Suit", None, None),
        ("dealt.game", "    suit: Suit\n", "", set(), None),
        ("fish.csv", "name,many,suit,weight", "name,many,suit,height", None, None),
        ("dealt.game", "fish.csv", "fishes.csv", None, None),
        # Conditions on a piece that are tested at every move.
        ("dealt.game", "is_late: Flag", "is_late: 0..3", None, {"wrong-type"}),
        # Facts about the game itself.
        ("dealt.game", '"Dealt"', '"Dealt again"', set(), set()),
        ("dealt.game", "players 2", "players 2..3", None, set()),
        ("dealt.game", "players 2", "players 2\n    depth many", None, {"wrong-type"}),
        ("dealt.game", "players 2", "players 2\n    ask if several", set(), set()),
        (
            "dealt.game",
            "space Pool",
            "table Rest key a\n    b: 0..3\n    row 1, 2\nspace Pool",
            set(),
            None,
        ),
    ],
)
def test_an_edit_of_other_declarations_equals_a_fresh_check(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    old: str,
    new: str,
    wanted: set[str] | None,
    reported: set[str] | None,
) -> None:
    game = tmp_path / "dealt.game"
    texts = {game: DEALT} | {tmp_path / name: text for name, text in TABLES.items()}
    files, memory = Files(dict(texts)), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    assert old in texts[tmp_path / file]
    edited = texts | {tmp_path / file: texts[tmp_path / file].replace(old, new, 1)}
    lowered = counted_parts(monkeypatch)
    for given in (edited, texts):
        files.given = dict(given)
        again, parts = findings(files, game, memory), {*lowered}
        fresh = findings(Files(dict(given)), game, None)
        lowered.clear()
        assert problems(files, game, again) == problems(Files(dict(given)), game, fresh)
        if not any(one.severity is Severity.ERROR for one in load(game, files=files).problems):
            assert places(again) <= places(
                fresh
            )  # otherwise the other parts are known from the last check
        if given is edited and wanted is not None:
            assert parts <= wanted
        if given is edited and reported is not None:
            assert {one.code for one in load(game, files=Files(dict(given))).check()} == reported


LISTED = """\
game "Listed"
    players 2
kind Hue = red, blue
kind Size = small, large
piece Disc
    size: Size
    row one, small
    row two, large
table Worth key hue
    hue: Hue
    pays: 0..9
    row red, 3
    row blue, 4
table Weight key size
    size: Size
    weighs: 0..9
    row small, 1
    row large, 2
zone deck: pile of Disc
player
    state coins: 0..99
setup
    move all from Disc to deck
play
    each player
        do earn
        do weigh
    end game
rule earn
    add Worth(red).pays to me.coins
rule weigh
    add Weight(sure(deck.top).size).weighs to me.coins
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def test_the_order_of_tables_is_nobodys_affair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table whose type is missing is read last; the values in other tables keep their places."""
    game = tmp_path / "listed.game"
    files, memory = Files({game: LISTED}), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    lowered = counted_parts(monkeypatch)
    files.given[game] = LISTED.replace("kind Hue", "kind Shade")
    again = problems(files, game, findings(files, game, memory))
    assert "rule earn" in lowered
    assert "rule weigh" not in lowered
    assert again == {*map(repr, load(game, files=Files(dict(files.given))).check())}


PLACED = """\
game "Placed"
    players 2
piece Card
    copies = 9
    row ace
zone deck: pile of Card
zone street: row of 4 Card
player
    zone hand: set of Card
value here of c: Card = c.slot
setup
    move all from Card to deck
play
    log "{sum(c in deck: c.here)} {count(c in Card where c.holder is not nothing)}"
    end game
winner p by 1 then shared
"""


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("zone street: row of 4 Card\n", "", "this game has no rows"),
        ("street: row of 4 Card", "street: pile of Card", "this game has no rows"),
        ("player\n    zone hand: set of Card\n", "", "no zone of a player can hold Card"),
    ],
)
def test_where_something_may_lie(tmp_path: Path, old: str, new: str, reported: str) -> None:
    game = tmp_path / "placed.game"
    files, memory = Files({game: PLACED}), Memory()
    findings(files, game, memory)
    files.given[game] = PLACED.replace(old, new)
    again = problems(files, game, findings(files, game, memory))
    assert any(reported in one for one in again)
    assert again == {*map(repr, load(game, files=Files(dict(files.given))).check())}


def many_edits(game: Path, number: int, chance: random.Random) -> None:
    folder = game.parent
    files, memory = Files(), Memory()
    findings(files, game, memory)
    tables, texts = sorted(folder.glob("*.csv")), sorted(folder.glob("*.game"))
    for step in range(number):
        path = chance.choice(tables if tables and chance.random() < 0.6 else texts)
        old = files.given.get(path) or path.read_text(encoding="utf-8")
        of_tables, of_texts = (
            (edited_rows, edited_rows, edited_table),
            (
                edited_lists,
                edited_kinds,
                edited_kinds,
                edit_text,
            ),
        )
        files.given[path] = chance.choice(of_tables if path in tables else of_texts)(old, chance)
        again = problems(files, game, findings(files, game, memory))
        fresh = load(game, files=Files(dict(files.given))).check()
        assert again == {*map(repr, fresh)}, (step, path.name)
        if chance.random() < (0.95 if fresh else 0.8):
            files.given[path] = old


def write_game(folder: Path) -> Path:
    for name, text in (TABLES | {"dealt.game": DEALT}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "dealt.game"


@pytest.mark.parametrize("seed", range(3))
def test_edits_of_what_there_is(tmp_path: Path, seed: int) -> None:
    many_edits(write_game(tmp_path), 8, random.Random(seed))


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3, 43))
def test_many_edits_of_what_there_is(tmp_path: Path, seed: int) -> None:
    many_edits(write_game(tmp_path), 30, random.Random(seed))


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "name",
    ["colonial", "endeavor", "equilibris", "ginkgopolis", "night_market", "through_the_ages"],
)
def test_edits_of_what_there_is_in_shipped_games(tmp_path: Path, name: str, seed: int) -> None:
    folder = copy_shipped(tmp_path, *(NIGHT_MARKET if name == "night_market" else (name,)))
    game = folder / f"{name}.game" if name == "night_market" else folder / name / f"{name}.game"
    many_edits(game, 8, random.Random(f"{seed} of what there is in {name}"))
