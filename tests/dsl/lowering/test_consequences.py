"""Errors are reported at their cause, without their consequences."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Severity
from rulewright.dsl.loading.loading import load

HEAD = 'game "Little"\n    players 2\n'
END = """\
score of p
    item "points" = 1
winner p by p.total then shared
"""

GAMES = {
    "a zone of what is not known, asked for by an index": (
        """\
zone decks(n: 1..2): pile of Cards
play
    log "{decks(1).size}"
    shuffle decks(2)
    end game
""",
        ["unknown-type Cards: there is no piece `Cards`"],
    ),
    "a zone that is not there is entered": (
        """\
piece Card
zone deck: pile of Card
player
    state luck: 0..9
setup
    move all from Card to deck
play
    end game
whenever card enters p.purse
    add 1 to p.luck
    log "{p} has {card}"
""",
        ["unknown-name p.purse: there is no zone `p.purse`"],
    ),
    "a product of no numbers": (
        """\
kind Suit = cups, coins
piece Card for suit in Suit, rank in 1..0
zone deck: pile of Card
setup
    move all from Card to deck
play
    log "{sum(c in deck: c.rank)}"
    end game
""",
        ["out-of-range 1..0: the range 1..0 is empty"],
    ),
    "a grid that is too large": (
        """\
space Cell grid 4 by 99999999
    state marked: Flag
play
    set Cell(4, 4).marked to yes
    log "{Cell(1, 1).marked}"
    end game
""",
        ["out-of-range grid 4 by 99999999: a grid cannot have 4 by 99999999 cells"],
    ),
    "a link without spaces": (
        """\
link Road
    joins here, there
    row old_road, rome, ostia
    row new_road, rome, nowhere
play
    for each road in Road
        log "{road.here} {road.there.neighbors.size}"
    end game
""",
        ["unknown-type joins here, there: there are no spaces that `Road` could join"],
    ),
    "a link called like a kind": (
        """\
kind Road = rough, smooth
space Town
    row rome
    row ostia
link Road
    joins here, there
    row old_road, rome, ostia
play
    for each town in Town
        log "{town.neighbors.size}"
    end game
""",
        ["duplicate-name Road: `Road` is declared twice"],
    ),
    "a list of what is not known": (
        """\
piece Card
    friends: list of Crd up to 3
    row one, two
    row two, (one, three)
zone deck: pile of Card
setup
    move all from Card to deck
play
    log "{sum(c in deck: c.friends.size)}"
    end game
""",
        ["unknown-type Crd: there is no type `Crd`"],
    ),
    "too many pieces of each player": (
        """\
piece Coin per player
    copies = 99999999
player
    zone purse: set of Coin
setup
    for each coin in Coin
        move coin to coin.owner.purse
play
    end game
""",
        ["too-many-options Coin: 40000 are too many (at most 20000)"],
    ),
    "a key that stands for too many numbers": (
        """\
table Upkeep
    price: 0..9
    row 0..2, 0
    row 3..99999999, 2
    row 6+, 4
play
    if Upkeep(4).price is 2
        log "four"
    end game
""",
        ["out-of-range row 3..99999999, 2: a row of a table has at most 10,000 keys"],
    ),
    "another key stands far behind": (
        """\
table Upkeep
    price: 0..9
    row 0..2, 0
    row 30000, 2
    row 6+, 4
play
    if Upkeep(4).price is 2
        log "four"
    end game
""",
        ["out-of-range row 6+, 4: a row of a table has at most 10,000 keys"],
    ),
    "a list that no frame has room for": (
        """\
piece Card
zone deck: pile of Card
setup
    move all from Card to deck
rule pick(c: list of Card up to 20001)
    if c is not empty
        choose card in c
        log "{card}"
        do pick(c)
play
    each player
        do pick(deck)
        do pick(list(c in deck where c is not deck.top))
    end game
""",
        [
            "not-storable list of Card up to 20001: a list of up to 20,001 things is too long for `c` (at most 20,000)"
        ],
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_only_the_cause_is_reported(tmp_path: Path, name: str) -> None:
    game, said = GAMES[name]
    path = tmp_path / "little.game"
    path.write_text(f"{HEAD}{game}{END}", encoding="utf-8")
    found = [p for p in load(path).check() if p.severity is Severity.ERROR]
    assert [f"{p.code} {p.span.text}: {p.message}" for p in found] == said


LEFT = "begin its line at the left margin"
HELPS = {
    "a condition that is nothing": (
        "play\n    if nothing\n        log \"x\"\n    end game\n",
        "write `yes` or `no`, or compare it: `x is nothing`",
    ),
    "a start that is only known in play": (
        "state first: 1..6 = me\nplay\n    set first to 2\n    end game\n",
        "remove it, and `set` it below `setup`; `first` is a number 1..6",
    ),
    "a start that is empty": (
        "state first: Player or nothing = empty\nplay\n    set first to nothing\n    end game\n",
        "write `nothing`",
    ),
    "the only value that a cell can have": (
        "kind Good = tea\npiece Card\n    good: Good\n    row one, silk\nplay\n    end game\n",
        "write `tea`, or add `silk` where `Good` is declared",
    ),
    "a zone made in a rule": (
        "play\n    zone deck: pile of Card\n    end game\n",
        "begin its line at the left margin, or put it below `player`",
    ),
    "a kind below player": ("player\n    kind Suit = cups\nplay\n    end game\n", LEFT),
    "an option of the game below player": ("player\n    option mode = a, b\nplay\n    end game\n", LEFT),
    "a column of one number": (
        "table Fee\n    coins: 3..3\n    row 1, 4\nplay\n    end game\n",
        "write `3`: the column holds nothing else; or a wider range for the column",
    ),
    "a sort that consists of one": (
        "piece Card\npiece Thing is Card\nplay\n    end game\n",
        "write `piece Thing is Card or ANOTHER`",
    ),
    "keys from a number on": (
        "table Fee\n    coins: 0..9\n    row 0..9, 1\n    row 10..999999, 2\nplay\n    end game\n",
        "write `10+` for all larger numbers, or several rows with fewer keys each",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HELPS)
def test_one_cause_gives_one_message_with_its_edit(tmp_path: Path, name: str) -> None:
    game, help = HELPS[name]
    path = tmp_path / "little.game"
    path.write_text(f"{HEAD}{game}{END}", encoding="utf-8")
    assert load(path).check()[0].help == help


def test_a_game_line_that_stands_deeper(tmp_path: Path) -> None:
    path = tmp_path / "little.game"
    path.write_text('player\n    game "Little"\n', encoding="utf-8")
    assert [problem.message for problem in load(path).check()] == [
        "`game` begins a declaration and cannot be inside another"
    ]


def test_a_cell_of_a_row_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "little.game"
    game = "table Fee\n    coins: 0..9\n    row 0..2, 10\nplay\n    end game\n"
    path.write_text(f"{HEAD}{game}{END}", encoding="utf-8")
    assert load(path).check()[0].message == "`10` in column `coins` is not a number 0..9"
