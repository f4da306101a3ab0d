"""Secrets are followed to the lines that show them: such a line ends in `# !`, and no other is reported."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.loading.loading import load

HEAD = """game "Tell"
    players 3
kind Color = red, blue
piece Card
    rank: 1..4
    color: Color
    row one, 1, red
    row two, 2, red
    row three, 3, blue
    row four, 4, blue
    row five, 4, blue
    row six, 4, red
token chip
zone deck: pile of Card, seen by nobody except size
zone aside: set of Card, seen by nobody
zone street: set of Card
zone pot: tokens of chip = 9
state counter: 0..9
state starter: Player
player
    zone hand: set of Card, seen by owner except size
    zone bed: set of Card, seen by owner
    zone purse: tokens of chip, seen by owner
    zone table_cards: set of Card
    state goal: Color, seen by owner
    state memo: 0..99, seen by owner
    state coins: 0..99
setup
    move all from Card to deck
    shuffle deck
    move up to 1 from deck to aside
    each player
        surely move 1 from deck to me.hand
        surely move 1 from pot to me.purse
        roll colour in Color
        set me.goal to colour
play
    repeat 2 times
        each player
            do turn
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""

DISCLOSED = {
    "by the name of an option": """rule turn
    choose one of
        option "wait" named wait(me.left.memo)  # !
        option "go on"
""",
    "by the name of an action": """rule turn
    choose one of
        do greet(me.left)
        option "go on"
action greet(p: Player) named greet(p, p.memo)  # !
    add 1 to p.coins
""",
    "by a name": """rule turn
    let held = sum(c in me.left.hand: c.rank)
    log "{held}"  # !
""",
    "by a name of a name": """rule turn
    let held = sum(c in me.left.hand: c.rank)
    let more = held + 1
    log "{more}"  # !
""",
    "by a name that is changed": """rule turn
    let found: Flag = no
    for each c in me.left.hand
        if c is two
            set found to yes
    if found
        log "{me} smiles"  # !
""",
    "by a number that is counted up": """rule turn
    let found: 0..9 = 0
    for each c in me.left.hand where c.color is red
        add 1 to found
    log "{found}"  # !
""",
    "by a number that other steps decide": """rule turn
    let found: Flag = no
    each player
        if me.goal is red
            set found to yes
    if found
        log "somebody collects red"  # !
""",
    "by a parameter": """rule turn
    do tell(sum(c in me.left.hand: c.rank))
rule tell(n: 0..30)
    log "{n}"  # !
""",
    "by a list that is given": """rule turn
    do tell(list(c in me.left.hand))
rule tell(cards: list of Card up to 6)
    for each c in cards
        log "{c}"  # !
""",
    "by a value": """value strength of p: Player = sum(c in p.hand: c.rank)
rule turn
    log "{me.left.strength}"  # !
""",
    "by a value of the player who acts": """value strength of p: Player = sum(c in p.hand: c.rank)
rule turn
    if me.strength > 3
        log "{me} smiles"  # !
""",
    "by a value of a list that is given": """value weight(cards: set of Card) = sum(c in cards: c.rank)
rule turn
    log "{weight(list(c in me.left.hand))}"  # !
""",
    "by a power in a hand": """open value price of p: Player = 3
power two in p.hand
    modify p.price less 1
rule turn
    log "{me.price}"  # !
""",
    "by options out of a list": """rule turn
    let cards = list(c in me.left.hand)
    surely choose c in cards  # !
    move c to me.hand
""",
    "by the order of the options": """rule turn
    let best = if any(c in me.left.hand where c is two) then (1, 2) else (2, 1)
    surely choose n in best  # !
    set me.coins to n
""",
    "by a condition of an option": """rule turn
    let held = sum(c in me.left.hand: c.rank)
    choose one of
        option "stay"
        option "challenge" where held < 3  # !
""",
    "by the condition of a choice": """rule turn
    surely choose p in players where any(c in p.hand where c is two)  # !
    add 1 to p.coins
""",
    "by an action that cannot be done": """rule turn
    choose one of
        option "stay"
        do strike(me.left)
action strike(p: Player)
    needs any(c in p.hand where c is two)  # !
    add 1 to me.coins
""",
    "by what an action calls": """rule turn
    choose one of
        option "stay"
        do strike
action strike
    do hit(me.left)
rule hit(p: Player)
    needs any(c in p.hand where c is two)  # !
    add 1 to me.coins
""",
    "by what is paid": """rule turn
    choose one of
        option "stay"
        option "take"
            pay 1 from me.left.memo  # !
            add 1 to me.coins
""",
    "by the words of an option that others are told": """rule turn
    let held = sum(c in me.hand: c.rank)
    choose one of
        option "boast {held}"  # !
        option "stay"
""",
    "by the words in which is asked": """rule turn
    let held = sum(c in me.left.hand: c.rank)
    surely choose n in 1..3 prompt "meet {held}?"  # !
    set me.coins to n
""",
    "by the reason of a refusal": """rule turn
    choose one of
        option "stay"
        do meet(sum(c in me.left.hand: c.rank))
action meet(n: 0..30)
    needs me.coins > 5 else "you would meet {n}"  # !
    add 1 to me.coins
""",
    "by a line that is told or not": """rule turn
    if any(c in me.left.hand where c is two)
        log "{me.left} smiles"  # !
""",
    "by a line of the other branch": """rule turn
    if any(c in me.left.hand where c is two)
        set counter to 0  # !
    else
        log "{me.left} frowns"
""",
    "by a line to another": """rule turn
    let mine = sum(c in me.hand: c.rank)
    log "{mine}" to me.left  # !
""",
    "by a state that all see": """rule turn
    if any(c in me.left.hand where c is two)
        add 1 to me.coins  # !
""",
    "by a state that another sees": """rule turn
    if any(c in me.hand where c is two)
        add 1 to me.left.memo  # !
""",
    "by a move that all see": """rule turn
    if any(c in me.left.hand where c is two)
        move up to 1 from deck to street  # !
""",
    "by a size that all see": """rule turn
    if any(c in me.hand where c is two)
        move up to 1 from deck to me.hand  # !
""",
    "by tokens that all see": """rule turn
    if me.left.purse.size > 1
        move up to 1 from pot to me.purse  # !
""",
    "by how often something is done": """rule turn
    repeat sum(c in me.left.hand: c.rank) times
        add 1 to me.coins  # !
""",
    "by how long something is done": """rule turn
    let n: 0..9 = 0
    repeat until n >= sum(c in me.left.hand: c.rank)
        add 1 to n
        add 1 to me.coins  # !
""",
    "by where a loop is left": """rule turn
    for each n in 1..4
        if any(c in me.left.hand where c.rank is n)
            stop
        add 1 to me.coins  # !
""",
    "by how many are hidden with their number": """rule turn
    for each c in aside
        add 1 to me.coins  # !
""",
    "by who is asked": """rule turn
    if any(c in me.left.hand where c is two)
        as me.left
            choose one of  # !
                option "smile"
                option "frown"
""",
    "by being asked oneself": """rule turn
    if any(c in me.hand where c is two)
        may "smile"  # !
            log "{me} smiles"
""",
    "by who acts": """rule turn
    each player where me.goal is red
        add 1 to me.coins  # !
""",
    "by an effect of a hidden card": """rule turn
    for each c in me.left.hand
        do effect of c
effect card: Card
    add 1 to me.coins  # !
""",
    "by what a hidden card sets off": """rule turn
    move up to 1 from deck to me.hand
power two in p.hand
    whenever counter > 3
        log "somebody holds the two"  # !
""",
    "by what stands after a rule": """rule turn
    do wait
rule wait
    add 1 to counter
power two in p.hand
    after wait as p
        log "the two waits"  # !
""",
    "by a card that enters a hidden place": """rule turn
    move up to 1 from deck to me.hand
whenever c enters p.hand where c is two
    log "the two is drawn"  # !
""",
    "by a condition that is watched": """rule turn
    move up to 1 from deck to me.hand
whenever any(c in p.hand where c is two) for p in players
    log "the two is drawn"  # !
""",
    "by a permission": """rule turn
    choose one of
        option "stay"
anytime strike during turn where any(c in me.left.hand where c is two)  # !
action strike
    add 1 to me.coins
""",
    "by where a card is": """rule turn
    let holder = two.holder
    if holder is not nothing
        add 1 to holder.coins  # !
""",
    "by a hidden card that is named": """rule turn
    surely choose card in me.hand
    move card to me.bed
    log "{me} lays {card} aside"  # !
""",
    "by a hidden card that an option names": """action bury(card in me.hand)
    move card to me.bed
    log "{me} buries {card.rank}"  # !
rule turn
    choose one of
        do bury
        option "wait"
""",
    "by a card that is drawn unseen": """rule turn
    let card = deck.top
    if card is not nothing
        move card to me.hand
        log "{me} draws {card}"  # !
""",
    "by the name of a phase": """rule turn
    let held = sum(c in me.left.hand: c.rank)
    phase "round of {held}"  # !
        add 1 to me.coins
""",
    "by who is out": """rule turn
    if me.left.goal is red
        eliminate me.left  # !
""",
    "by a rule that is looked for by a secret": """rule turn
    let found = first(p in players where any(c in p.hand where c is two) then order)
    if found is not nothing
        log "{found}"  # !
""",
    "by what was possible": """rule turn
    let tried = sum(c in me.left.hand: c.rank)
    if possible
        needs tried > 3
        add 1 to me.coins  # !
    otherwise
        log "{me} waits"
""",
    "by what was possible for a rule": """rule turn
    if possible
        do look_for(me.left)
    otherwise
        log "{me} finds nothing"  # !
rule look_for(p: Player)
    needs any(c in p.hand where c.rank > 2)
""",
    "by an action that is possible": """action boast
    needs any(c in me.hand where c is two)
    add 1 to me.memo
rule turn
    if possible(boast)
        log "{me} could boast"  # !
    choose one of
        do boast
        option "wait"
""",
    "by how many there were": """rule turn
    if possible
        move 1 from aside to me.hand  # !
    otherwise
        add 1 to me.memo
""",
    "by what lies in the way": """player
    zone nook: spot of Card, seen by owner
rule turn
    let card = deck.top
    if card is not nothing
        if possible
            move card to me.nook  # !
""",
    "by a change for a call": """open value fee of p: Player = 2
rule turn
    choose one of
        do hire with me.fee less sum(c in me.left.hand: c.rank)
        option "wait"
action hire
    do settle
rule settle
    needs me.coins >= me.fee  # !
""",
    "by a change that another value looks at": """open value fee of p: Player = 2
value whole_fee of p: Player = p.fee + 1
rule turn
    do hire with me.fee less sum(c in me.hand: c.rank)
rule hire
    log "{me.whole_fee}"  # !
""",
    "by a position that is kept": """position diagram up to 9 = counter
rule turn
    if me.left.goal is red
        keep diagram  # !
    log "{diagram.times}"
""",
    "by what is set up": """setup
    for each p in players
        if any(c in p.hand where c is two)
            add 1 to p.coins  # !
        if p.goal is red
            move up to 1 from deck to street  # !
rule turn
    log "{me}"
""",
    "by a rule that others call where all is laid open": """rule turn
    choose one of
        option "open"
            move all from me.hand to street
            do boast
        option "closed"
            do boast
rule boast
    log "{count(c in me.hand where c is two)}"  # !
""",
    "by a rule that a call inside another one comes to first": """rule turn
    choose one of
        option "open"
            show me.hand to players
            do boast
        option "closed"
            do boast
rule boast
    do say_it
rule say_it
    if any(c in me.hand where c is two)
        log "the two"  # !
""",
    "by what stands after a rule that is called where all is laid open": """rule turn
    choose one of
        option "open"
            show me.hand to players
            do wait
        option "closed"
            do wait
rule wait
    add 1 to counter
power two in p.hand
    after wait as p
        log "the two waits"  # !
""",
    "where less is laid open before": """rule turn
    choose one of
        option "both"
            show me.hand to players
            show me.bed to players
            do boast
        option "one"
            show me.bed to players
            do boast
rule boast
    log "{count(c in me.bed where c is two)}"
    log "{count(c in me.hand where c is two)}"  # !
""",
    "by a state that is set from a secret one": """rule turn
    set me.coins to me.memo  # !
""",
    "by the end of the game": """rule turn
    if me.goal is red and counter > 3
        win me
        end game  # !
    log "{me} plays on"
""",
}
NOT_DISCLOSED = {
    "by a rule that all call where it is laid open": """rule turn
    choose one of
        option "shown"
            show me.hand to players
            do boast
        option "both"
            show me.bed to players
            show me.hand to players
            do boast
        option "laid down"
            move all from me.hand to street
            do boast
rule boast
    log "{count(c in me.hand where c is two)}"
""",
    "by what was possible in the open": """rule turn
    if possible
        needs me.coins > 3
        pay 2 from me.coins
        log "{me} pays"
    otherwise
        log "{me} cannot pay"
""",
    "by what was possible with a card that is laid open": """rule turn
    if possible
        choose card in me.hand where card.rank > 2
        move card to me.table_cards
    otherwise
        log "{me} has no high card"
""",
    "by what somebody pays": """rule turn
    if possible
        pay 1 from me.memo
        log "{me} pays"
    otherwise
        log "{me} cannot pay"
""",
    "to the player who tries": """rule turn
    if possible
        needs any(c in me.hand where c is two)
        log "you hold the two" to me
        add 1 to me.memo
""",
    "by what is done whether it was possible or not": """rule turn
    if possible
        needs any(c in me.hand where c is two)
        add 1 to me.memo
        log "{me} has looked"
    otherwise
        log "{me} has looked"
""",
    "by a change that all may know": """open value fee of p: Player = 2
rule turn
    choose one of
        do hire with me.fee less me.coins
        option "wait"
action hire
    needs me.coins >= me.fee
    log "{me} pays {me.fee}"
""",
    "by a position that looks at secrets itself": """position diagram up to 9 = counter, list(p in players: p.goal)
rule turn
    if me.left.goal is red
        keep diagram
    log "{me}"
""",
    "by how a hidden place is set up": """setup
    for each p in players
        if any(c in p.hand where c is two)
            set p.memo to 3
        set p.coins to openly(p.memo)
rule turn
    log "{me}"
""",
    "to the owner": """rule turn
    let held = sum(c in me.hand: c.rank)
    log "you hold {held}" to me
    choose one of
        option "stay"
        option "go" where held > 2
""",
    "by a size that may be seen": """rule turn
    let cards = list(c in me.left.hand)
    if cards is empty
        log "{me.left} has nothing"
    repeat cards.size times
        add 1 to me.coins
""",
    "by the first of a pile that is there or not": """rule turn
    if deck.top is nothing
        log "no card is left"
    let card = deck.top
    if card is not nothing
        move card to me.hand
        log "you draw {card}" to me
""",
    "by a card that is laid open": """rule turn
    surely choose card in me.hand
    move card to me.table_cards
    log "{me} plays {card}"
    if card.rank > 2
        add 1 to me.coins
""",
    "by a card that a rule lays open": """rule turn
    surely choose card in me.hand
    do play_out(card)
    if card is two
        log "it is the two"
rule play_out(card: Card)
    move card to me.table_cards
""",
    "by an effect of a card that is laid open": """action play_out(card in me.hand)
    say "play {card}"
    move card to me.table_cards
    do effect of card
rule turn
    choose one of
        do play_out
        option "wait"
effect card: Card
    add 1 to me.coins
""",
    "by what is shown before": """rule turn
    show me.left.hand to players
    if any(c in me.left.hand where c is two)
        add 1 to me.coins
""",
    "to one who is shown it before": """rule turn
    show me.left.hand to me
    surely choose c in me.left.hand where c.rank > 0 or c is two
    move c to me.table_cards
""",
    "by a condition of which a branch lays open": """rule turn
    if any(c in me.left.hand where c is two)
        log "{me.left} holds the two"
        move all from me.left.hand to me.left.table_cards
""",
    "by a condition of which a rule lays open": """rule turn
    if any(c in me.left.hand where c is two)
        do knock_out(me.left)
rule knock_out(p: Player)
    log "{p} is out"
    move all from p.hand to p.table_cards
""",
    "by cards of a suit that must be followed": """rule turn
    if any(c in me.hand where c.color is red)
        surely choose card in me.hand where card.color is red
        move card to me.table_cards
    else
        surely choose card in me.hand
        move card to me.table_cards
""",
    "by what all branches do": """rule turn
    if any(c in me.hand where c.color is red)
        surely choose card in me.hand where card.color is red
        move card to me.bed
    else
        surely choose card in me.hand
        move card to me.bed
""",
    "by a hidden place that only the owner sees": """rule turn
    if any(c in me.hand where c is two)
        add 1 to me.memo
""",
    "openly": """rule turn
    if openly(any(c in me.left.hand where c is two))
        add 1 to me.coins
    let held = openly(sum(c in me.left.hand: c.rank))
    log "{held}"
    for each c in me.left.hand where openly(c.rank > 2)
        add 1 to me.coins
""",
    "by a choice of numbers": """rule turn
    choose n in 0..me.memo
    log "{me} bids {n}"
    set counter to min(9, n)
""",
    "by a state that is openly set from a secret one": """rule turn
    set me.coins to openly(me.memo)
    log "{me} has {me.coins}"
""",
    "by a parameter that is called like a hidden place": """rule turn
    do tell(list(c in street))
rule tell(hand: list of Card up to 6)
    for each c in hand
        log "{c}"
""",
    "by a name that is called like a hidden place": """rule turn
    let purse = counter
    log "{purse}"
""",
    "at the end of the game": """rule turn
    if openly(me.goal is red and counter > 3)
        win me
        end game
""",
    "by what a card shows to all where it lies": """zone events: pile of Card, seen by nobody except size, color
rule turn
    move up to 1 from deck to events
    let card = events.top
    if card is not nothing
        log "it is {card.color}"
        if card.color is red
            add 1 to me.coins
""",
    "by a showdown": """rule turn
    each player
        move all from me.hand to me.table_cards
    let best = most(p in players: sum(c in p.table_cards: c.rank))
    for each p in best
        log "{p} wins"
        add 1 to p.coins
""",
    "to the player who is asked in between": """rule turn
    as me.left
        if any(c in me.hand where c is two)
            log "you hold the two" to me
        choose one of
            option "stay"
            option "show" where any(c in me.hand where c is two)
                move all from me.hand to me.table_cards
""",
}


def leak_lines(folder: Path, rules: str) -> tuple[list[int], str]:
    path = folder / "tell.game"
    path.write_text(HEAD + rules, encoding="utf-8")
    found = load(path).check()
    texts = "\n".join(f"{each.span.line}: {each.code}: {each.message}" for each in found)
    assert {each.code for each in found} <= {"secret-leak", "unused-name"}, texts
    leaks = {each.span.line for each in found if each.code == "secret-leak"}
    return sorted(leaks), texts


@pytest.mark.parametrize("way", DISCLOSED)
def test_each_leak_is_reported_at_its_place(tmp_path: Path, way: str) -> None:
    lines = (HEAD + DISCLOSED[way]).split("\n")
    marked = [n for n, line in enumerate(lines, start=1) if line.endswith("# !")]
    found, texts = leak_lines(tmp_path, DISCLOSED[way])
    assert found == marked, texts


@pytest.mark.parametrize("way", NOT_DISCLOSED)
def test_no_leak_is_reported_where_nothing_is_disclosed(tmp_path: Path, way: str) -> None:
    found, texts = leak_lines(tmp_path, NOT_DISCLOSED[way])
    assert found == [], texts


@pytest.mark.parametrize(
    ("shown", "codes"),
    [("deck.top", ["secret-leak"]), ("openly(deck.top)", []), ("deck.size", [])],
)
def test_boards_may_show_only_public_values(shown: str, codes: list[str], tmp_path: Path) -> None:
    rule = "rule turn\n    add 1 to me.coins\n"
    board = f'board "Deck"\n    show "{{{shown}}}" where deck is not empty\n'
    path = tmp_path / "tell.game"
    path.write_text(f"{HEAD}{rule}{board}", encoding="utf-8")
    problems_found = [problem.code for problem in load(path).check()]
    assert [code for code in problems_found if code != "unused-name"] == codes


def test_a_secret_that_only_one_setting_tells_is_found(tmp_path: Path) -> None:
    """Parts that variants share are analysed once, with any number of players; a part that differs is also
    analysed."""
    head = HEAD.replace("players 3", "players 2..3\n    never loud is no and player_count is 3")
    head = head.replace("        roll colour in Color\n        set me.goal to colour\n", "")
    rules = """option loud = no, yes
rule turn
    do look
    if loud is yes
        do boast(me.left)
    choose one of
        option "wait"
rule look
    log "you hold {me.hand}" to me
rule boast(p: Player)
    log "{p} holds {p.hand}"
"""
    path = tmp_path / "tell.game"
    path.write_text(head + rules, encoding="utf-8")

    def problems_found(of: Iterable[Diagnostic]) -> list[str]:
        return [one.span.text for one in of if one.code == "secret-leak"]

    assert problems_found(load(path).check()) == ["p.hand"]
    assert problems_found(load(path).problems_of(3, {"loud": "yes"})) == ["p.hand"]
    assert not problems_found(load(path).problems_of(2, {"loud": "no"}))
