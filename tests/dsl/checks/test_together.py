"""Permitted and refused steps in `together` blocks: the smallest block of each kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """game "L"
    players 2
token cube
piece Card
    rank: 1..9
    row one, 1
    row two, 2
    row three, 3
zone deck: pile of Card, seen by nobody except size
zone played: pile of Card
zone bank: tokens of cube = 10
die coin = 0, 1
state pot: 0..10
state used(p: Player): Flag
player
    state coins: 0..9, seen by owner
    state open_coins: 0..9
    state passed: Flag, seen by owner
    state chosen: Player, seen by owner
    zone hand: set of Card, seen by owner except size
    zone bid: spot of Card, seen by owner
    zone purse: tokens of cube, seen by owner
    zone open_bid: spot of Card
setup
    move all from Card to deck
    each player
        surely move 1 from deck to me.hand
value richest = largest(p in players: p.coins)
value wealth of p: Player = p.coins + p.hand.size
value lead of p: Player = p.coins - p.left.coins
rule shout(n: 0..9)
    log "{{me}} says {{n}}"
rule keep(n: 0..9)
    set me.coins to n
rule put(c: Card)
    move c to me.bid
action bet(n in 1..3)
    set me.coins to n
play
    together each player
{block}
    each player
        add me.chosen.number + me.coins + me.open_coins + me.wealth + me.lead + richest to pot
        move all from me.hand to played
        move all from me.bid to played
        move all from me.open_bid to played
        move all from me.purse to bank
        set used(me) to me.passed
        do shout(1)
        do keep(1)
        do put(one)
        surely do bet
        roll pot = 2 of coin
{more}score of p
    item "coins" = p.coins + count(q in players where used(q))
winner p by p.total then shared
"""

REFUSED = {
    "shared set": (
        """
choose n in 1..3
set pot to n
""",
        "",
    ),
    "shared add": (
        """
choose n in 1..3
add n to pot
""",
        "",
    ),
    "shared lose": (
        """
choose n in 1..3
lose n from pot
""",
        "",
    ),
    "of another": (
        """
choose n in 1..3
add n to me.left.coins
""",
        "",
    ),
    "of a chosen player": (
        """
choose p in players
set me.chosen to p
set me.chosen.coins to 3
""",
        "",
    ),
    "own seen": (
        """
choose n in 1..3
set me.open_coins to n
""",
        "",
    ),
    "for me in brackets seen": (
        """
choose n in 1..3
set used(me) to yes
""",
        "",
    ),
    "move from shared": (
        """
move up to 1 from deck to me.hand
""",
        "",
    ),
    "move to shared": (
        """
move all from me.hand to played
""",
        "",
    ),
    "move chosen from shared": (
        """
if played is not empty
    surely choose card in played
    move card to me.hand
""",
        "",
    ),
    "move open bid": (
        """
surely choose card in me.hand
move card to me.open_bid
""",
        "",
    ),
    "move chosen from an open place": (
        """
if me.open_bid is not empty
    surely choose card in me.open_bid
    move card to me.bid
""",
        "",
    ),
    "move a list from an open place": (
        """
move list(c in me.open_bid where c.rank > 1) to me.bid
""",
        "",
    ),
    "move from an open place by a rule": (
        """
for each card in me.open_bid
    do put(card)
""",
        "",
    ),
    "tokens from bank": (
        """
move up to 2 from bank to me.purse
""",
        "",
    ),
    "shuffle shared": (
        """
shuffle deck
""",
        "",
    ),
    "roll shared": (
        """
roll pot = 2 of coin
""",
        "",
    ),
    "look at other": (
        """
if any(p in players where p.passed)
    set me.coins to 3
set me.passed to yes
""",
        "",
    ),
    "look via value": (
        """
if richest > 3
    set me.coins to 3
""",
        "",
    ),
    "look via lead": (
        """
if me.lead > 3
    set me.coins to 3
""",
        "",
    ),
    "options look": (
        """
choose n in 1..me.left.coins + 1
set me.coins to n
""",
        "",
    ),
    "score": (
        """
if me.left.total > 3
    set me.coins to 3
""",
        "",
    ),
    "log": (
        """
log "{me} is ready"
set me.coins to 3
""",
        "",
    ),
    "called log": (
        """
do shout(3)
""",
        "",
    ),
    "as other": (
        """
as me.left
    choose n in 1..3
    set me.coins to n
""",
        "",
    ),
    "end": (
        """
end game
""",
        "",
    ),
    "win": (
        """
win me
""",
        "",
    ),
    "trigger shared": (
        """
set me.passed to yes
""",
        """
whenever p.passed for p in players
    add 1 to pot
""",
    ),
    "hook shared": (
        """
do keep(3)
""",
        """
after keep(n)
    add n to pot
""",
    ),
    "mover shared": (
        """
surely choose c in me.hand
move c to me.bid
""",
        """
whenever c enters p.bid
    add c.rank to pot
""",
    ),
}

ACCEPTED = {
    "own state that holds a player": (
        """
choose p in players
set me.chosen to p
if me.chosen is not me
    set me.coins to 3
""",
        "",
    ),
    "own hidden": (
        """
choose n in 1..3
set me.coins to n
add 1 to me.coins
lose 1 from me.coins
""",
        "",
    ),
    "move own": (
        """
surely choose card in me.hand
move card to me.bid
""",
        "",
    ),
    "move own all": (
        """
move all from me.hand to me.hand
""",
        "",
    ),
    "roll own": (
        """
roll n in 1..6
set me.coins to n
""",
        "",
    ),
    "look at own": (
        """
if me.passed
    set me.coins to 3
set me.passed to yes
""",
        "",
    ),
    "look via own value": (
        """
if me.wealth > 3
    set me.coins to 3
""",
        "",
    ),
    "look at other unchanged": (
        """
if me.left.hand.size > 3
    set me.coins to 3
""",
        "",
    ),
    "log to me": (
        """
log "yes" to me
set me.coins to 3
""",
        "",
    ),
    "called keep": (
        """
do keep(3)
""",
        "",
    ),
    "called put": (
        """
surely choose c in me.hand
do put(c)
""",
        "",
    ),
    "action": (
        """
choose one of
    do bet
    option "no"
        set me.passed to yes
""",
        "",
    ),
    "trigger own": (
        """
set me.passed to yes
""",
        """
whenever p.passed for p in players
    add 1 to p.coins
""",
    ),
    "outer local": (
        """
choose n in 1..3
let best: 0..9 = 0
set best to n
set me.coins to best
""",
        "",
    ),
}


def problems(block: str, more: str, folder: Path) -> list[str]:
    lines = "\n".join(f"        {line}" for line in block.strip().splitlines())
    path = folder / "together.game"
    path.write_text(GAME.format(block=lines, more=more), encoding="utf-8")
    codes = [problem.code for problem in load(path).check()]
    return [code for code in codes if code != "secret-leak"]


@pytest.mark.parametrize("name", REFUSED)
def test_steps_that_disturb_each_other_are_refused(name: str, tmp_path: Path) -> None:
    assert problems(*REFUSED[name], tmp_path) == ["together-shared"]


@pytest.mark.parametrize("name", ACCEPTED)
def test_independent_steps_are_accepted(name: str, tmp_path: Path) -> None:
    assert "together-shared" not in problems(*ACCEPTED[name], tmp_path)
