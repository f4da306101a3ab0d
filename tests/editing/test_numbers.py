"""After an edit of how many there are, or of what is seen from afar, what is told is what a first look tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.editing.desk.checking import Memory
from tests.editing.test_earlier import found, problems

ALIKE = """\
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
    reading = ALIKE.replace("rule earn\n", f"rule earn\n{LOOK}")
    files, memory = Files({game: ALIKE, table: few}), Memory()
    for text, rows, told in (
        (ALIKE, few, set()),
        (reading, few, set()),
        (reading, many, {"too-many-options"}),
        (ALIKE, many, set()),
        (reading, many, {"too-many-options"}),
        (reading, few, set()),
    ):
        files.given = {game: text, table: rows}
        again = problems(files, game, found(files, game, memory))
        fresh = load(game, files=Files(dict(files.given))).check()
        assert {one.code for one in fresh} == told
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


def test_when_something_stands_behind_a_rule_is_asked_with_the_rule(tmp_path: Path) -> None:
    game = tmp_path / "hooked.game"
    files, memory = Files({game: HOOKED}), Memory()
    assert problems(files, game, found(files, game, memory)) == set()
    for condition, told in (("p is 3", {"wrong-type"}), ("p.coins > 4", set())):
        files.given[game] = HOOKED.replace("p.coins > 3", condition)
        again = problems(files, game, found(files, game, memory))
        fresh = load(game, files=Files(dict(files.given))).check()
        assert {one.code for one in fresh} == told
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
def test_of_values_that_need_each_other_always_the_same_is_told(
    tmp_path: Path, old: str, new: str
) -> None:
    game = tmp_path / "cycles.game"
    files, memory = Files({game: CYCLES}), Memory()
    found(files, game, memory)
    files.given[game] = CYCLES.replace(old, new)
    again = problems(files, game, found(files, game, memory))
    fresh = load(game, files=Files(dict(files.given))).check()
    assert again == {*map(repr, fresh)}
    assert [one.message for one in fresh] == ["`first` is needed to work out `first`"]
