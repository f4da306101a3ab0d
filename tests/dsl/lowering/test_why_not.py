"""Reasons why a thing is not offered: those of the author, otherwise those of the conditions."""

from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import BrokenGameError

STALL = """game "Stall"
    players 3
piece Tool
    price: 0..9
    is_broken: Flag
    row saw, 4, no
    row axe, 1, no
    row nail, 1, yes
    row pan, 3, no
    row file, 2, no
zone shop: set of Tool
zone attic: set of Tool
player
    state coins: 0..9 = 3
    state secret: 0..9 = 3, seen by nobody
    state is_protected: Flag
    zone tools: set of Tool
setup
    move all from Tool to shop
    move file to attic
play
    each player
{steps}
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def stall(tmp_path: Path, steps: str, more: str = "") -> State:
    lines = "".join(f"        {line}\n" for line in steps.splitlines())
    path = tmp_path / "stall.game"
    path.write_text(STALL.replace("{steps}\n", lines) + more, encoding="utf-8")
    return load_game(path).start(players=3)


NO_WORDS = "its condition does not hold"
"""The reason for a condition without a text of the author and without a known form."""


@pytest.mark.parametrize(
    ("where", "name", "reason"),
    [
        ("tool.price <= me.coins", "saw", "price of saw is 4, more than 3 (your coins)"),
        ("tool.price < 3", "saw", "price of saw is 4, not less than 3"),
        ("tool.price > 1 and not tool.is_broken", "axe", "price of axe is 1, not more than 1"),
        ("tool.price > 0 and not tool.is_broken", "nail", "nail is broken"),
        ("tool.is_broken is no", "nail", "nail is broken"),
        ("tool.is_broken", "axe", "axe is not broken"),
        ("tool is not axe", "axe", "axe cannot be chosen here"),
        ("tool.price is not me.coins", "pan", "price of pan is 3"),
        ("tool in shop", "file", "file is not in the shop"),
        ("tool.price + 1 > 2", "axe", "price of axe plus 1 is 2, not more than 2"),
        ("tool.price - me.coins * 2 > 0", "axe", "it comes to -5, not more than 0"),
        ("not tool.price > 3", "saw", "price of saw is 4, more than 3"),
        ("tool.price is 9 or tool is saw", "axe", "price of axe is not 9 and axe is not saw"),
        ("not (tool.price is 1 or tool.is_broken)", "nail", "price of nail is 1"),
        ("any(t in me.tools where t is tool)", "axe", "there is no tool in your tools that fits"),
        (
            "any(t in shop where t.price is tool.price + 1 and not t.is_broken)",
            "saw",
            "there is no tool in the shop with price 5 and that is not broken",
        ),
        (
            "any(t in shop: t.price > 4)",
            "saw",
            "there is no tool in the shop with price more than 4",
        ),
        ("not any(p in players: p.coins > 2)", "saw", "there is a player with coins more than 2"),
        ("all(p in players: p.coins > 3)", "saw", "not every player fits"),
        (
            "count(t in shop where t.price >= tool.price) > 1",
            "saw",
            "number of tools in the shop with price at least 4 is 1, not more than 1",
        ),
        ("tool.is_worth(2)", "axe", "axe is not worth 2"),
        ("not tool.is_worth(4)", "saw", "saw is worth 4"),
        ("tool.can_cut(saw)", "axe", "axe cannot cut saw"),
        ("is_open", "axe", "is open does not hold"),
        ("is_near(tool, pan)", "axe", "is near does not hold for axe and pan"),
        ("if tool.is_broken then me.is_protected else tool is saw", "axe", NO_WORDS),
        ("tool.worth(2) > 2", "axe", "worth of axe (2) is 2, not more than 2"),
        ("me.tools is not empty", "axe", "your tools is empty"),
    ],
)
def test_the_condition_that_fails_says_why(
    tmp_path: Path, where: str, name: str, reason: str
) -> None:
    value = """value worth of t: Tool (times: 1..3) = t.price * times
value is_worth of t: Tool (coins: 0..9) = t.price >= coins
value can_cut of t: Tool (other: Tool) = t is not axe and other is not nail
value is_open = count(p in players where p.coins is 0) > 0
value is_near(t: Tool, other: Tool) = t is other
"""
    state = stall(tmp_path, f"choose tool or none in shop where {where}", value)
    assert state.decision.why(name) == reason
    assert name not in state.decision.refused


NAMED = """value can_cut of t: Tool (other: Tool) = t.price > other.price
    else "the {t} (price {t.price}) cannot cut the {other}, which takes {other.price + 1} coin(s)"
value is_rich(least: 0..9) = me.coins >= least else "{me} has {me.coins} coin(s), {least} are needed"
value is_winter = count(p in players where p.coins is 0) > 0 else "it is no winter"
"""


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("tool.can_cut(pan)", "the axe (price 1) cannot cut the pan, which takes 4 coins"),
        ("tool.can_cut(nail)", "the axe (price 1) cannot cut the nail, which takes 2 coins"),
        ("tool.price < 4 and is_rich(tool.price + 4)", "player 1 has 3 coins, 5 are needed"),
        ("is_winter", "it is no winter"),
        ("not not is_winter", "it is no winter"),
        ("is_winter or tool is pan", "it is no winter and axe is not pan"),
        (
            "is_winter or tool.can_cut(file)",
            "it is no winter and the axe (price 1) cannot cut the file, which takes 3 coins",
        ),
        ("not tool.can_cut(tool) and not is_rich(2)", "is rich holds for 2"),
    ],
)
def test_a_named_condition_says_why_in_its_own_words(
    tmp_path: Path, where: str, reason: str
) -> None:
    state = stall(tmp_path, f"choose tool or none in shop where {where}", NAMED)
    assert state.decision.why("axe") == reason


def test_an_action_says_the_sentence_of_a_named_condition(tmp_path: Path) -> None:
    action = """
action cut(tool in shop, other in shop where tool.can_cut(other))
    needs is_rich(9)
    add 1 to me.coins
"""
    steps = 'choose one of\n    do cut\n    option "wait"'
    decision = stall(tmp_path, steps, action + NAMED).decision
    assert decision.why("cut(saw, pan)") == "player 1 has 3 coins, 9 are needed"
    assert decision.why("cut(pan, saw)") == (
        "the pan (price 3) cannot cut the saw, which takes 5 coins"
    )


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (
            'value few = 3 else "too few"',
            "only a condition takes `else` and a reason, but this is the number 3",
        ),
        ('value few(t: Tool) = t is saw else "the {tol}"', "there is no `tol`"),
    ],
)
def test_the_sentence_of_a_condition_is_looked_at(tmp_path: Path, value: str, problem: str) -> None:
    with pytest.raises(BrokenGameError) as found:
        stall(tmp_path, "choose tool or none in shop", f"{value}\n")
    assert [one.message for one in found.value.problems if one.code != "unused-name"] == [problem]


def test_reasons_about_other_players_name_them(tmp_path: Path) -> None:
    state = stall(
        tmp_path, "surely choose rival in players where rival is not me and not rival.is_protected"
    )
    assert state.decision.why("seat_1") == "you cannot choose yourself"
    assert state.decision.why("seat_2") is None


def test_the_author_says_why(tmp_path: Path) -> None:
    state = stall(
        tmp_path,
        'choose tool or none in shop where tool.price < me.coins else "the {tool} takes {tool.price} coins"',
    )
    assert state.decision.why("saw") == "the saw takes 4 coins"
    assert state.decision.refused == {
        "saw": "the saw takes 4 coins",
        "pan": "the pan takes 3 coins",
    }
    assert state.decision.why("file") == "file is not in the shop"


def test_options_and_parameters_say_why(tmp_path: Path) -> None:
    steps = """choose one of
    do buy
    option "burn {t}" for t in shop where t.price > 3 else "the {t} burns badly"
    option "wait\""""
    action = """
action buy(tool in shop where tool.price < 3 else "too dear") [ST-4]
    needs not tool.is_broken else "nobody takes a broken {tool}"
    move tool to me.tools
"""
    decision = stall(tmp_path, steps, action).decision
    assert decision.why("buy(saw)") == "too dear"
    assert decision.clauses("buy(saw)") == ("ST-4",)
    assert decision.why("buy(nail)") == "nobody takes a broken nail"
    assert decision.why("burn(axe)") == "the axe burns badly"
    assert decision.why("buy(file)") == "file is not in the shop"
    assert decision.why("buy(spoon)") == "there is no option `buy(spoon)` here"


def test_one_option_alone_says_why(tmp_path: Path) -> None:
    steps = 'choose one of\n    option "sell" where me.coins > 5 else "you have only {me.coins}"\n'
    state = stall(tmp_path, steps + '        set me.coins to 0\n    option "wait"')
    assert state.decision.names == ["wait"]
    assert state.decision.why("sell") == "you have only 3"
    assert state.decision.refused == {"sell": "you have only 3"}


def test_the_part_of_a_condition_that_fails_is_reported(tmp_path: Path) -> None:
    action = """
action sell
    needs me.tools is not empty and me.coins < 3
    add 1 to me.coins
"""
    decision = stall(tmp_path, 'choose one of\n    do sell\n    option "wait"', action).decision
    assert decision.why("sell") == "your tools is empty"


def test_why_hides_secret_reasons(tmp_path: Path) -> None:
    state = stall(tmp_path, "choose tool or none in shop where openly(tool.price < me.secret)")
    assert state.decision.why("file") == "file is not in the shop"
    assert state.decision.why("saw") == "there is no option `saw` here"


def test_words_of_the_author_are_looked_at(tmp_path: Path) -> None:
    with pytest.raises(BrokenGameError) as found:
        stall(tmp_path, 'choose tool or none in shop where tool.price < 3 else "the {tol}"')
    assert [problem.code for problem in found.value.problems] == ["unknown-name"]


RAID = """game "Raid"
    players 2
space Town
    row rome
    row bari
    row pisa
    state holder: Player or nothing
    state walls: 0..3
player
    state men: 0..9 = 4
play
    repeat 2 times
        each player
            choose one of
                do raid
                option "wait"
{rules}
score of p
    item "men" = p.men
winner p by p.total then shared
"""


def raid(tmp_path: Path, rules: str) -> State:
    path = tmp_path / "raid.game"
    path.write_text(RAID.replace("{rules}\n", rules), encoding="utf-8")
    return load_game(path).start()


TARGET = """action strike(town in Town)
    needs town.holder is not nothing else "nobody holds {town}"
    needs me.men > town.walls else "the walls of {town} are too high"
    lose 1 from me.men
"""


def test_the_reason_of_an_action_names_what_cannot_be_chosen_in_it(tmp_path: Path) -> None:
    """No single town is the cause: all fail for the same reason, and the message gives their number."""
    state = raid(tmp_path, f"action raid\n    do strike\n{TARGET}")
    assert state.decision.why("raid") == (
        "no way to strike: nobody holds rome, and the same is true of 2 more"
    )


def test_the_target_that_gets_farthest_tells(tmp_path: Path) -> None:
    rules = TARGET.replace("me.men > town.walls", "me.men > 8") + "action raid\n    do strike\n"
    start = (
        "setup\n    for each p in players where p.number is 1\n        set Town(pisa).holder to p\n"
    )
    with_pisa = raid(tmp_path, rules + start.replace("Town(pisa)", "pisa"))
    assert with_pisa.decision.why("raid") == "the walls of pisa are too high"


@pytest.mark.parametrize("first", ["pay", "strike"])
def test_the_part_that_fails_is_named_wherever_it_stands(tmp_path: Path, first: str) -> None:
    """A raid of two parts, in either order: the possible part is never given as the reason."""
    parts = {"pay": "    lose 1 from me.men\n", "strike": "    do strike\n"}
    body = parts.pop(first) + "".join(parts.values())
    reason = raid(tmp_path, f"action raid\n{body}{TARGET}").decision.why("raid")
    assert reason == "no way to strike: nobody holds rome, and the same is true of 2 more"


def pair(tmp_path: Path) -> State:
    """Two towns, not both with walls, are chosen one after the other."""
    rules = """setup
    set rome.walls to 2
    set bari.walls to 1
rule raid_two
    let chosen: set of Town = empty
    repeat 2 times
        choose town in Town
        needs town not in chosen else "{town} is chosen already"
        needs sum(t in chosen: t.walls) + town.walls < 3
            else "the walls of {town} and of {chosen} are too high together"
        add town to chosen
    lose 1 from me.men
action raid
    do raid_two
"""
    return raid(tmp_path, rules).choose("raid")


@pytest.mark.parametrize(("first", "other"), [("rome", "bari"), ("bari", "rome")])
def test_why_blames_the_same_pair_in_either_order(tmp_path: Path, first: str, other: str) -> None:
    decision = pair(tmp_path).choose(first).decision
    assert decision.names == ["pisa"]
    assert decision.why(first) == f"{first} is chosen already"
    assert decision.why(other) == f"the walls of {other} and of {first} are too high together"


def test_a_cell_of_a_growing_grid_is_refused_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "plain.game"
    path.write_text(
        """game "Plain"
    players 2
piece Tile per player
    copies = 4
space Plot grid growing 6
    zone tile: spot of Tile
player
    zone pool: set of Tile
setup
    for each t in Tile
        move t to t.owner.pool
    for each p in players where p.number is 1
        surely move 1 from p.pool to Plot(0, 0).tile
play
    each player
        do lay
    end game
rule lay
    surely choose plot in Plot(0, 0).neighbors where plot.tile is empty and plot.x is not 0
        else "nothing is laid on {plot}"
    surely move 1 from me.pool to plot.tile
score of p
    item "tiles" = p.pool.size
winner p by p.total then shared
""",
        encoding="utf-8",
    )
    decision = load_game(path).start().decision
    assert decision.why("c0_1") == "nothing is laid on (0, 1)"
    assert decision.why("c5_5") == "(5, 5) is not beside (0, 0)"


PURSES = """game "Purses"
    players 2
token pearl
token yellow
piece Jar
    copies = 1
    row pot
zone shelf: set of Jar
zone bowl: tokens of pearl = 1
zone hoard: tokens of pearl = 0
zone jug: tokens of yellow = 2
zone pond: tokens of yellow = 0
player
    state civil_actions: 0..9
    state gold: 0..9 = 1
    zone jars: set of Jar
setup
    move all from Jar to shelf
action act(n in 1..2)
    pay n from me.civil_actions
action spend(n in 2..3)
    pay n from me.gold
action dip(n in 2..3)
    move n from bowl to hoard
action scoop(n in 2..3)
    move n from jug to pond
action lift(n in 2..3)
    move n from shelf to me.jars
play
    repeat 3 times
        each player
            choose one of
                do act
                do spend
                do dip
                do scoop
                do lift
                option "pass"
score of p
    item "gold" = p.gold
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("act(1)", "this takes 1 civil action, and there are 0"),
        ("act(2)", "this takes 2 civil actions, and there are 0"),
        ("spend(2)", "this takes 2 gold, and there is 1"),
        ("dip(2)", "there is only 1 pearl in the bowl, this takes 2"),
        ("scoop(3)", "there are only 2 yellow tokens in the jug, this takes 3"),
        ("lift(3)", "there is only 1 in the shelf, this takes 3"),
    ],
)
def test_one_is_reported_in_the_singular(tmp_path: Path, option: str, reason: str) -> None:
    path = tmp_path / "purses.game"
    path.write_text(PURSES, encoding="utf-8")
    assert load_game(path).start().decision.why(option) == reason


WORKED_OUT = """game "Paths"
    players 2
space Cell grid 3 by 3
    state owner_of: Player or nothing
piece Man
    row knight
    row bishop
value goals of m: Man = list(c in Cell where c.x is 1)
value wanted = list(c in Cell where c.y is 3)
state here: Cell = a1
play
    each player
        surely choose man in Man
        surely choose cell in SOURCE
        set cell.owner_of to me
    end game
score of p
    item "none" = count(c in Cell where c.owner_of is p)
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("source", "reported"),
    [
        ("man.goals", "c2 is none of those to choose from for knight"),
        ("wanted", "c2 is none of those to choose from"),
        ("here.neighbors", "c2 is not beside a1"),
    ],
)
def test_names_of_values_are_not_reported(source: str, reported: str, tmp_path: Path) -> None:
    path = tmp_path / "paths.game"
    path.write_text(WORKED_OUT.replace("SOURCE", source))
    state = load_game(path).start(seed=1).choose("knight")
    assert state.decision.why("c2") == reported


@pytest.mark.parametrize(
    ("amount", "chosen", "name", "reason"),
    [
        ("exactly 2", (), "pan", "after pan there are too few to choose"),
        ("exactly 3", ("saw",), "pan", "after pan there are too few to choose"),
        ("exactly 3", ("saw", "nail"), "saw", "saw is chosen already"),
        ("exactly 2", ("axe",), "saw", "saw comes before axe, which is chosen already"),
        ("at least 2", (), "pan", "after pan there are too few to choose"),
        ("at least 1", ("axe",), "axe", "axe is chosen already"),
        ("up to 2", ("axe",), "saw", "saw comes before axe, which is chosen already"),
        ("up to 2", ("axe",), "file", "file is not in the shop"),
    ],
)
def test_why_explains_absent_options_of_a_repeated_choice(
    tmp_path: Path, amount: str, chosen: tuple[str, ...], name: str, reason: str
) -> None:
    steps = f"surely choose taken in shop, {amount}\nmove taken to me.tools"
    state = stall(tmp_path, steps)
    for one in chosen:
        state = state.choose(one)
    assert state.decision.why(name) == reason
