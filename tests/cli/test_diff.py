"""`rulewright diff` compares two versions of a game in words of the rules; `replay --with` continues a match with
other rules.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.exits import Exit
from tests.cli.conftest import Command

OLD = """\
game "Coins"
    players 2
    rulebook "coins.rules.md"
option pace = slow, fast
piece Card from "coins.csv"
    worth: 1..5
    copies = 1
zone deck: pile of Card
player
    state coins: 0..9 = 3                                       [CO-001]
setup
    move all from Card to deck
play
    repeat 3 times
        each player
            choose one of
                do take
                option "pass"
# how many are taken
action take                                                     [CO-002]
    needs me.coins < (if pace is slow then 8 else 9) else "enough"
    add 1 to me.coins
value worth of p: Player = p.coins + deck.size
score of p
    item "coins" = p.worth
winner p by p.total then shared
"""
NEW = (
    OLD.replace("state coins: 0..9 = 3", "state coins: 0..12 = 4")
    .replace("slow, fast", "slow, fast, very_fast")
    .replace("# how many are taken\n", "# how many coins one takes\n\n")
    .replace("add 1 to me.coins", "add 2 to me.coins")
    .replace(
        "me.coins < (if pace is slow then 8 else 9)",
        "me.coins < (if pace is slow then 8\n        else 9)",
    )
    .replace("value worth of p", "zone away: pile of Card\nvalue worth of p")
)
RULES = """\
- **CO-001** Everybody begins with 3 coins.
- **CO-002** One may take a coin.
"""
SCENARIOS = """\
scenario "one coin is taken" [CO-002]
    player ann, bob
    ann plays take
    expect ann.coins is 4

scenario "one may pass"
    player ann, bob
    ann plays pass
    expect bob.coins >= 3
"""


@pytest.fixture
def versions(command: Command) -> Path:
    """A folder with both versions, in the working folder of the command."""
    here = Path.cwd()
    for name, text in (("old", OLD), ("new", NEW)):
        folder = here / name
        folder.mkdir()
        (folder / "coins.game").write_text(text)
        (folder / "coins.rules.md").write_text(
            RULES if name == "old" else RULES.replace("3 coins", "4 coins")
        )
        (folder / "coins.csv").write_text(
            "name,worth\nace,1\nking,4\n" if name == "old" else "name,worth\nking,5\nqueen,3\n"
        )
        (folder / "coins.scenario").write_text(SCENARIOS)
    return here


def test_diff_lists_differences_of_two_versions(command: Command, versions: Path) -> None:
    ran = command("diff", "old/coins.game", "new/coins.game")
    assert ran.code == Exit.PROBLEMS
    assert (
        ran.out
        == """\
~ option pace
    value very_fast added
~ piece Card
    + row queen
    - row ace
    king.worth: 4 -> 5
~ state of a player coins  [CO-001]
    coins: 0..9 -> 0..12, wider
    coins at the start: 3 -> 4
~ action take  [CO-002]
    add 1 to me.coins -> add 2 to me.coins
+ zone away
~ clause CO-001
    Everybody begins with 3 coins. -> Everybody begins with 4 coins.

clauses touched: CO-001, CO-002

scenarios that no longer hold:
  coins.scenario:4: one coin is taken
    expected: ann.coins is 4; found: `ann.coins` is 6
"""
    )


def test_the_same_as_data(command: Command, versions: Path) -> None:
    ran = command("diff", "old/coins.game", "new/coins.game", "--format", "json", "--rules-only")
    data = json.loads(ran.out)
    assert [(one["what"], one["name"], one["how"]) for one in data["changes"]][:2] == [
        ("option", "pace", "changed"),
        ("piece", "Card", "changed"),
    ]
    assert data["changes"][1]["cells"] == [
        {"row": "king", "column": "worth", "old": "4", "new": "5"}
    ]
    assert data["clauses"] == ["CO-001", "CO-002"]
    assert data["scenarios"] == data["records"] == []


def test_lines_that_say_something_else(command: Command, versions: Path) -> None:
    text = (
        OLD
        + 'board "Purses"\n    show "{p}: {p.coins}" for p in players\nboard "Round"\n    show "go on"\n'
    )
    (versions / "old" / "coins.game").write_text(text)
    text = text.replace("action take ", "action take(n in 1..2) ").replace("add 1 to", "add n to")
    text = text.replace('show "go on"', 'show "go on"  # still\n    show "the end is near"')
    text = text.replace('"enough"', '"enough"  [CO-002]').replace("then 8 else 9", "then 8 else 7")
    text = text.replace(
        "repeat 3 times\n        each player", "each player\n        repeat 3 times"
    )
    (versions / "new" / "coins.game").write_text(text)
    for name in ("coins.csv", "coins.rules.md"):
        (versions / "new" / name).write_bytes((versions / "old" / name).read_bytes())
    ran = command("diff", "old/coins.game", "new/coins.game", "--rules-only")
    assert (
        ran.out
        == """\
~ section play
    + each player
    - each player
~ action take  [CO-002]
    - action take
    - needs me.coins < (if pace is slow then 8 else 9) else "enough"
    - add 1 to me.coins
    + action take(n in 1..2)
    + needs me.coins < (if pace is slow then 8 else 7) else "enough"
    + add n to me.coins
~ board Round
    + show "the end is near"

clauses touched: CO-002
"""
    )


def test_layout_comments_and_files_make_no_difference(command: Command, versions: Path) -> None:
    text = OLD.replace("# how many are taken\n", "").replace("    ", "  ")
    head, play = text.split("score of p\n")
    (versions / "new" / "coins.game").write_text(head + 'include "end.game"\n')
    (versions / "new" / "end.game").write_text("score of p\n" + play)
    for name in ("coins.csv", "coins.rules.md"):
        (versions / "new" / name).write_bytes((versions / "old" / name).read_bytes())
    ran = command("diff", "old/coins.game", "new/coins.game")
    assert (ran.code, ran.out) == (Exit.FINE, "the rules are the same\n")


def test_a_play_goes_on_by_new_rules(command: Command, versions: Path) -> None:
    ran = command(
        "play", "old/coins.game", "--save", "evening.play", typed="take\npass\nsave\nquit\n"
    )
    assert (versions / "evening.play").is_file(), ran.out + ran.err
    ran = command("replay", "evening.play")
    assert ran.code == Exit.FINE
    ran = command("replay", "evening.play", "--with", "new/coins.game", "--save", "new.play")
    assert ran.code == Exit.FINE, ran.err
    ran = command("replay", "new.play")
    assert ran.code == Exit.FINE, ran.err

    stricter = NEW.replace("me.coins < (if pace is slow then 8\n        else 9)", "me.coins > 8")
    (versions / "new" / "coins.game").write_text(stricter)
    ran = command("replay", "evening.play", "--with", "new/coins.game")
    assert ran.code == Exit.PROBLEMS
    assert "evening.play: decision 1: " in ran.err
    ran = command("replay", "evening.play", "--with", "new/coins.game", "--to", "0")
    assert ran.code == Exit.FINE, ran.err
    ran = command(
        "diff", "old/coins.game", "new/coins.game", "--records", "evening.play", "--rules-only"
    )
    assert "records that continue differently:\n  evening.play: record 1: decision 1: " in ran.out


def test_saving_wants_other_rules(command: Command, versions: Path) -> None:
    command("play", "old/coins.game", "--save", "evening.play", typed="take\nsave\nquit\n")
    ran = command("replay", "evening.play", "--save", "new.play")
    assert ran.code == Exit.USAGE
    assert "name them by --with GAME" in ran.err


def test_signs_are_compared_row_by_row(command: Command) -> None:
    game = """\
game "Men"
    players 2
piece Man per player
    row king
    row knight
    signs king "K", knight "N"
player
    signs "X", "O"
zone box: set of Man
setup
    move all from Man to box
"""
    Path("old.game").write_text(game)
    Path("new.game").write_text(game.replace('"N"', '"S" "s"').replace('"O"', '"Y"'))
    ran = command("diff", "old.game", "new.game")
    assert ran.out.splitlines() == [
        "~ piece Man",
        "    knight.sign: N -> S s",
        "~ signs",
        "    players.sign: X O -> X Y",
    ]
