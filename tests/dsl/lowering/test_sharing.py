"""Parts that variants share are not lowered again: the problems and the facts about places stay the same."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from rulewright.dsl.loading.loading import Loaded, load
from rulewright.dsl.lowering.whole.sharing import Common

GAME = """game "Settings"
    players 2

option length = short, long, endless
option market = no, yes
option stakes = 1, 3

kind Good = tea, silk, salt
token coin

piece Card
    good: Good
    worth: 0..9
    only_long: Flag
    row bale,  silk, 6, no
    row chest, tea,  4, no
    row sack,  salt, 2, yes
    row map,   tea,  0, no

space Stall
    wanted: Good
    state owner: Player or nothing
    row corner, tea
    row gate,   silk

zone store: pile of Card, seen by nobody except size
zone sold: pile of Card
zone bank: tokens of coin = 40
state round: 0..20
state last: Flag

player
    zone hand: set of Card, seen by owner except size
    zone desk: spot of Card
    zone purse: tokens of coin
    state bids: 0..9
    state tired: Flag

value is_long = length is not short
value rounds = if is_long then 4 else 2
value with_market = market is yes and length is not endless
value is_over = round >= rounds
value by_purse = ranking(p in players by p.purse then order)
open value price of c: Card at least 0 at most 99 = c.worth + stakes
open value most of p: Player = if is_long then 3 else 2
value has_room of p: Player = p.hand.size < p.most
value riches of p: Player = p.purse + sum(c in p.hand: c.price)

power bale in p.desk
    modify p.most more 1
    modify c.price less 1 where length is long
    after sell(c) as q where q is p and market is yes
        surely move 1 from bank to p.purse

power chest in p.desk only if market is yes
    modify c.price more 2 where c.good is tea
    action haggle
        say "haggle"
        needs me.tired is no else "only the rested haggle"
        set me.tired to yes
        surely move 1 from bank to me.purse

power card: Card in p.desk where length is endless
    modify p.most more 1 where card.good is silk

setup
    move all from Card to store
    shuffle store
    each player
        surely move 3 from bank to me.purse

play
    repeat until is_over
        add 1 to round
        each player where me.in_play
            do turn
        if is_long
            do rest
    if market is yes
        as sure(by_purse.first)
            do final_sale

rule turn
    if market is yes and with_market
        choose one of
            do sell
            do lay_open
            do haggle
            do pass
    else
        choose one of
            do sell
            do lay_open
            do give_up
            do pass

rule rest
    each player
        set me.tired to no
        surely move min(me.purse, 1) from me.purse to bank
        set me.bids to 0

rule final_sale
    for each c in list(c in me.hand)
        do effect of c
        surely move c to sold

action sell(c in me.hand)
    say "sell {c}"
    do price_paid(c.price)
    log "{me} sells {c}"
    surely move c to sold

action lay_open(c in me.hand where me.desk is empty) only if length is not short
    say "lay {c} open"
    surely move c to me.desk

action pass
    say "pass"
    if me.has_room and store is not empty
        surely move 1 from store to me.hand

action give_up only if length is endless
    say "give up"
    eliminate me

action auction
    say "auction"
    surely choose bid in 0..stakes prompt "how much?"
    set me.bids to bid
    surely choose stall in Stall prompt "where?"
    set stall.owner to me

rule price_paid(amount: 0..99)
    surely move min(amount, bank) from bank to me.purse

anytime auction during turn where length is endless

effect bale
    if length is long
        add 1 to round

effect c: Card
    surely move 1 from bank to me.purse

after turn
    if me.purse > 20 and market is yes
        set last to yes

whenever store is empty
    if length is not endless
        set last to yes

whenever p.purse changes by d for p in players
    if market is yes and d > 2
        set p.tired to yes

whenever card enters p.desk where card.good is silk
    if length is long
        surely move 1 from bank to p.purse

score of p
    item "money" = p.purse
    item "riches" = p.riches only if length is long
    item "goods" = sum(c in p.hand: c.worth) only if length is not short
    item "stalls" = count(s in Stall where s.owner is p) * stakes only if market is yes

winner p by p.total then shared

invariant "money stays" = bank + sum(p in players: p.purse) is 40 or market is yes

board "Market"
    show "round {round} of {rounds}"
    show "{p}: {p.purse} of {rounds}, {p.most}" for p in players
"""

Found: TypeAlias = tuple[list[str], dict[str, str], dict[str, str]]
CHOICES = [
    *(("length", value) for value in ("short", "long", "endless")),
    *(("market", value) for value in ("no", "yes")),
    *(("stakes", value) for value in ("1", "3")),
    ("player_count", "2"),
]
HEAD = re.compile(r"(rule|action|power|setup|winner|    (action|item))\b")
WORD = re.compile(r"\b[a-z_]{2,}\b|\b\d+\b")


def found_in(loaded: Loaded) -> Found:
    problems = [re.sub(r"\s+", " ", repr(problem)) for problem in loaded.check()]
    known = loaded.known
    referents = {repr(place): repr(found) for place, found in known.referents.items()}
    return problems, referents, {repr(place): repr(found) for place, found in known.types.items()}


def spoilt(random: Random, text: str) -> str:
    """A text with one to three changes; some of them depend on options."""
    lines = text.split("\n")
    for _ in range(random.choice((1, 1, 2, 3))):
        steps = [
            n
            for n, line in enumerate(lines)
            if line.startswith("    ") and lines[n].lstrip().split(" ")[0] in STEPS
        ]
        heads = [n for n, line in enumerate(lines) if HEAD.match(line) and "only if" not in line]
        values = [n for n, line in enumerate(lines) if re.match(r"(open )?value .* = ", line)]
        option, chosen = random.choice(CHOICES)
        match random.randrange(5):
            case 0:
                n = random.choice(steps + values)
                lines[n] = _one_word(random, lines[n], text)
            case 1:
                n = random.choice(steps)
                deep = len(lines[n]) - len(lines[n].lstrip())
                step = _one_word(random, lines[n], text)
                lines[n : n + 1] = [f"{' ' * deep}if {option} is {chosen}", f"    {step}"]
            case 2:
                n = random.choice(heads)
                lines[n] = f"{lines[n]} only if {option} is {chosen}"
            case 3:
                del lines[random.choice(steps)]
            case _:
                n = random.choice(values)
                head, value = lines[n].split(" = ", 1)
                other = random.choice(WORD.findall(text))
                lines[n] = f"{head} = if {option} is {chosen} then {other} else {value}"
    return "\n".join(lines)


STEPS = ("set", "add", "lose", "surely", "do", "say", "log", "needs", "eliminate", "modify", "item")


def _one_word(random: Random, line: str, text: str) -> str:
    places = list(WORD.finditer(line))
    if not places:
        return line
    place = random.choice(places)
    word = str(random.choice(WORD.findall(text)))
    return line[: place.start()] + word + line[place.end() :]


def hold(monkeypatch: pytest.MonkeyPatch, path: Path, text: str) -> int:
    """Checks that the results are the same with and without sharing; returns how many variants were not lowered
    completely."""
    path.write_text(text)
    shared = load(path)
    found = found_in(shared)
    with monkeypatch.context() as alone:
        alone.setattr(Common, "has_right", lambda *_: False)
        assert found == found_in(load(path))
    return len(shared._right)


def test_a_game_in_which_nothing_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_in_text(tmp_path, GAME)[0] == []
    assert hold(monkeypatch, tmp_path / "settings.game", GAME) > 9


def found_in_text(folder: Path, text: str) -> Found:
    (folder / "settings.game").write_text(text)
    return found_in(load(folder / "settings.game"))


def test_heads_of_steps_after_a_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the steps after a rule run is decided in the rule, which does not mention the option."""
    text = GAME.replace("    do price_paid(c.price)\n", "").replace(
        "= p.purse + sum", "= if market is yes then market else p.purse + sum"
    )
    assert len(text.split("\n")) < len(GAME.split("\n"))
    assert hold(monkeypatch, tmp_path / "settings.game", text) > 3


def hold_spoilt(monkeypatch: pytest.MonkeyPatch, folder: Path, seeds: range) -> None:
    for seed in seeds:
        random = Random(seed)
        try:
            hold(monkeypatch, folder / "settings.game", spoilt(random, GAME))
        except BaseException as failure:
            failure.add_note(f"seed {seed}")
            raise


def test_sharing_finds_the_problems_of_a_fresh_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_spoilt(monkeypatch, tmp_path, range(8))


@pytest.mark.deep
def test_sharing_finds_the_problems_of_many_spoilt_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_spoilt(monkeypatch, tmp_path, range(1000, 1600))


def compare_with_programs(folder: Path, seeds: range) -> None:
    """A check without programs reports the same as one that makes a program for each variant."""
    for seed in seeds:
        path = folder / "settings.game"
        path.write_text(spoilt(Random(seed), GAME), encoding="utf-8")
        seen, made = load(path), load(path)
        settings = seen.checked_variants()
        reported = {repr(problem) for each in settings for problem in seen.check_variant(*each)}
        assert reported == {repr(p) for each in settings for p in made.problems_of(*each)}, seed


def test_spoilt_games_of_which_programs_are_made(tmp_path: Path) -> None:
    compare_with_programs(tmp_path, range(8))


@pytest.mark.deep
def test_many_spoilt_games_of_which_programs_are_made(tmp_path: Path) -> None:
    compare_with_programs(tmp_path, range(2000, 2600))


def test_an_invariant_is_worked_out_with_all_it_looks_at(tmp_path: Path) -> None:
    path = tmp_path / "printed.game"
    path.write_text(
        """game "Printed"
    players 2
option edition = first, second, third
kind Good
    worth: 0..9
    row tea, 4
    row silk, 5
value printed = sum(g in Good: g.worth)
value all_of_it = printed
value wanted = if edition is second then 8 else 9
invariant "as in the box" = all_of_it is wanted
invariant "as ever" = printed is 9
play
    end game
score of p
    item "goods" = printed
winner p by p.total then shared
""",
        encoding="utf-8",
    )
    loaded = load(path)
    assert [(found.code, found.message) for found in loaded.check()] == [
        ("invariant-broken", "the invariant `as in the box` does not hold")
    ]


ERRANDS = """game "Errands"
    players 2
option length = {lengths}
kind Card
    {column}
    row visit, {first}
    row stay, {second}
state chosen: Card = stay
play
    each player
        choose one of
            do rest
            do lend
action lend only if length is long
    say "lend"
    set chosen to visit
action rest
    say "rest"
    set chosen to stay
score of p
    item "stayed" = if chosen is stay then 1 else 0
winner p by p.total then shared
"""


@pytest.mark.parametrize("lengths", ["long, short", "short, long"])
@pytest.mark.parametrize(
    ("column", "first", "second", "wrong"),
    [
        ("does: Action", "lend", "rest", ["table-bad-cell"]),
        ("does: Action", "rest", "rest", []),
        ("pays: 1..9", "4", "1", []),
    ],
)
def test_rows_that_name_actions_are_read_for_the_actions_of_each_setting(
    tmp_path: Path, lengths: str, column: str, first: str, second: str, wrong: list[str]
) -> None:
    path = tmp_path / "errands.game"
    text = ERRANDS.format(lengths=lengths, column=column, first=first, second=second)
    path.write_text(text, encoding="utf-8")
    assert [problem.code for problem in load(path).check()] == wrong
