"""Small games that show a secret, one for each way to do so.

Each first gives a name to a hidden value; a second version has the value itself at the place that shows it.
"""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.dsl import checks
from rulewright.dsl.checks.check_secrets import check_secrets
from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics.diagnostics import Problems


def let_secrets_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker reports problems in games that reveal secrets; matches find the leaks without it."""

    def check_silently(compiled: Compiled) -> None:
        check_secrets(evolve(compiled, problems=Problems()))

    others = (check for check in checks.OF_PROGRAMS if check is not check_secrets)
    monkeypatch.setattr(checks, "OF_PROGRAMS", (*others, check_silently))


HEAD = """game "Tell"
    players 2
piece Card
    rank: 1..4
    row one, 1
    row two, 2
    row three, 3
    row four, 4
zone deck: pile of Card, seen by nobody except size
player
    zone hand: set of Card, seen by owner except size
    state coins: 0..9 = 3
setup
    move all from Card to deck
    shuffle deck
    each player
        surely move 1 from deck to me.hand
score of p
    item "coins" = p.coins
winner p by p.total then shared
play
    repeat 2 times
        each player
            do turn
"""

LEAKING = {
    "option": (
        "challenge",
        HEAD
        + """rule turn [TE-001]
    let held = sum(c in me.left.hand: c.rank)
    choose one of
        option "stay"
        option "challenge" where held < 3
""",
    ),
    "count": (
        "choose n in",
        HEAD
        + """rule turn [TE-001]
    let held = sum(c in me.left.hand: c.rank)
    surely choose n in 1..max(1, held)
    set me.coins to n
""",
    ),
    "order": (
        "choose n in",
        HEAD
        + """rule turn [TE-001]
    let held = sum(c in me.left.hand: c.rank)
    let best = if held > 2 then (1, 2, 3) else (3, 2, 1)
    surely choose n in best
    set me.coins to n
""",
    ),
    "text": (
        "meet {amount}",
        HEAD
        + """rule turn [TE-001]
    let held = sum(c in me.left.hand: c.rank)
    choose one of
        option "stay"
        do meet(held)
action meet(amount: 0..20)
    say "meet {amount}"
""",
    ),
    "reason": (
        "you would meet {amount}",
        HEAD
        + """rule turn [TE-001]
    let held = sum(c in me.left.hand: c.rank)
    choose one of
        option "stay"
        do meet(held)
action meet(amount: 0..20)
    needs me.coins > 5 else "you would meet {amount}"
""",
    ),
    "log": (
        "smiles",
        HEAD
        + """rule turn [TE-001]
    let held = sum(c in me.left.hand: c.rank)
    choose one of
        option "stay"
        option "go"
    if held > 2
        log "{me.left} smiles"
""",
    ),
    "timing": (
        "choose one of",
        HEAD
        + """rule turn [TE-001]
    let held = sum(c in me.left.hand: c.rank)
    choose one of
        option "stay"
        option "go"
    if held > 2
        as me.left
            choose one of
                option "smile"
                option "frown"
""",
    ),
    "size": (
        "choose one of",
        HEAD
        + """rule turn [TE-001]
    let held = sum(c in me.left.hand: c.rank)
    choose one of
        option "stay"
        option "go"
    if held > 2
        move up to 1 from deck to me.left.hand
""",
    ),
}
"""The kind of the leak, part of the line that reveals it, and the game."""

BESIDE = (
    HEAD
    + """rule turn
    let has_any = openly(any(c in me.left.hand where c.rank > 0))
    let held = sum(c in me.left.hand: c.rank)
    choose one of
        option "stay"
        option "go"
    if held > 2
        log "{me.left} smiles"
    if not has_any
        log "{me.left} has nothing"
"""
)
"""An `openly` in a rule does not permit other disclosures there."""

REFUSED = {
    "option": """rule turn
    choose one of
        option "stay"
        option "challenge" where sum(c in me.left.hand: c.rank) < 3
""",
    "count": """rule turn
    surely choose n in 1..max(1, sum(c in me.left.hand: c.rank))
    set me.coins to n
""",
    "order": """rule turn
    surely choose n in (if sum(c in me.left.hand: c.rank) > 2 then (1, 2) else (2, 1))
    set me.coins to n
""",
    "text": """rule turn
    choose one of
        option "stay"
        do meet
action meet
    say "meet {me.left.hand}"
""",
    "reason": """rule turn
    choose one of
        option "stay"
        do meet
action meet
    needs me.coins > 5 else "you would meet {me.left.hand}"
""",
    "log": """rule turn
    log "{me} meets {me.left.hand}"
    choose one of
        option "stay"
        option "go"
""",
}
"""The same leaks with the value itself at the revealing place, which the checker refuses."""

TOGETHER = (
    HEAD.replace("players 2", "players 3").replace(
        "repeat 2 times\n        each player\n            do turn", "do turn"
    )
    + """player
    zone bid: spot of Card, seen by owner except size
rule turn
    together each player
        choose card or none in me.hand
        if card is not nothing
            move card to me.bid
"""
)
"""When all are ready, others see the number of cards in each bid."""

SECRET_VALUE = """game "Wagers"
    players 2
player
    state wager: 0..3, seen by owner
play
    each player
        choose n in 0..3
        set me.wager to n
    each player
        let seen = me.left.wager
        choose one of
            option "stay"
            option "double" where seen > 1
score of p
    item "wager" = p.wager
winner p by p.total then shared
"""
"""A secret choice of another player, revealed by an option."""

AFTER_TOGETHER = (
    TOGETHER
    + """    each player
        if any(c in me.bid where c.rank > 2)
            move all from me.bid to me.hand
        choose one of
            option "go on"
"""
)
"""When all are ready, the number of a player's cards depends on the card in a bid."""

OUT_OF_STEP = """game "Bids"
    players 3
player
    state bid: 0..9, seen by owner
    state more: 0..9, seen by owner
play
    together each player
        choose n in 0..2
        set me.bid to n
        if n is 1
            choose more in 1..3
            set me.more to more
    each player
        choose one of
            option "go on"
    each player
        if me.bid is 1
            log "{me} has chosen twice"
        choose one of
            option "go on"
score of p
    item "bid" = p.bid + p.more
winner p by p.total then shared
"""
"""The log later reveals which player had two choices to make."""

NAMED = (
    HEAD
    + """rule turn
    choose card in Card
    move card to table
zone table: set of Card
"""
)

SECRET_PARTS = """game "Parts"
    players 3
piece Card
    row one
    row two
    row three
    row four
    row five
    row six
zone deck: pile of Card, seen by nobody except size
player
    zone hand: set of Card, seen by owner except size
    state unwanted: set of Card, seen by owner
    state coins: 0..9
setup
    move all from Card to deck
    shuffle deck
    each player
        surely move 2 from deck to me.hand
play
    repeat 2 times
        together each player
            choose unwanted in me.hand, any number
            set me.unwanted to unwanted
        each player
            choose one of
                option "stay"
                option "earn"
                    add 1 to me.coins
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""

HARMLESS = {
    "where a piece lay that is moved by its name": NAMED,
    "where a piece lay that is drawn by its name": NAMED.replace("to table", "to me.nest").replace(
        "zone table: set of Card", "player\n    zone nest: set of Card, seen by owner except size"
    ),
    "how many are chosen together": TOGETHER
    + """    each player
        choose one of
            option "go on"
""",
    "how many are chosen together, and at the end": TOGETHER,
    "how many are chosen together, on a board": TOGETHER
    + """board "Hands"
    show "{p} {p.hand.size}" for p in players
""",
    "how many are chosen together, round after round": TOGETHER.replace(
        "play\n    do turn", "play\n    repeat 2 times\n        do turn"
    ),
    "in how many parts somebody chooses together": """game "Bids"
    players 3
player
    state bid: 0..9, seen by owner
    state points: 0..99
play
    repeat 2 times
        together each player
            choose n in 0..2
            if n is 1
                choose more in 1..3
                set me.bid to more
            else
                set me.bid to n
        each player
            add openly(me.bid) to me.points
score of p
    item "points" = p.points
winner p by p.total then shared
""",
    "what is chosen together and then laid open": TOGETHER
    + """    each player
        move all from me.bid to table
        choose one of
            option "go on"
zone table: set of Card
""",
    "how many copies of a card are laid open": HEAD.replace(
        "    row three, 3\n    row four, 4\n", "    copies = 3\n"
    ).replace("surely move 1 from", "surely move 2 from")
    + """rule turn
    choose n in 1..2
    move list(c in me.hand where c.rank is n) to table
zone table: set of Card
""",
    "whether somebody could pay": HEAD.replace(
        "    state coins: 0..9 = 3\n",
        "    state coins: 0..9 = 3\n    state purse: 0..9, seen by owner\n",
    ).replace("to me.hand\n", "to me.hand\n        roll n in 0..3\n        set me.purse to n\n", 1)
    + """rule turn
    choose one of
        option "stay"
        option "go"
    if possible
        pay 2 from me.purse
        log "{me} pays"
    otherwise
        log "{me} cannot pay"
""",
    "who has nothing to choose together": TOGETHER.replace(
        "players 3", "players 3\n    ask if several"
    ).replace("me.hand\n        if", "me.hand where card.rank > 2\n        if"),
    "what was laid before all are ready": TOGETHER.replace(
        "except size\nrule", "except size, together\nrule"
    )
    + """        choose n in 1..2
        move up to n - 1 from me.bid to me.hand
""",
    "a card laid open and taken back in one step": """game "Tell"
    players 2
piece Plan per player
    worth: 1..2
    row low, 1
    row high, 2
zone shown: spot of Plan
player
    zone plans: set of Plan, seen by owner except size
    zone plan: spot of Plan, seen by owner except size
    state coins: 0..9
setup
    for each plan in Plan where plan.owner is not nothing
        move plan to sure(plan.owner).plans
play
    repeat 2 times
        together each player
            surely choose plan in me.plans
            move plan to me.plan
        each player
            move all from me.plan to shown
            add sure(shown.top).worth to me.coins
            move all from shown to me.plans
score of p
    item "coins" = p.coins
winner p by p.total then shared
""",
    "how many cards each chooses in secret, one after the other": SECRET_PARTS,
    "a set said openly, for which the rules need more cells": HEAD.replace(
        "    state coins: 0..9 = 3\n",
        "    state coins: 0..9 = 3\n    state secret: 0..3, seen by owner\n",
    )
    .replace("zone deck:", "zone table: set of Card\nzone deck:")
    .replace(
        "            do turn\n", "            choose n in 0..3\n            set me.secret to n\n"
    )
    + """        each player
            choose one of
                option "show"
            move up to 1 from me.hand to table
whenever table.size is 2
    each player
        log "{me} has chosen {openly(me.secret)}"
        for each c in openly(Card)
            move c to deck
    shuffle deck
    each player
        move up to 1 from deck to me.hand
""",
    "said openly": HEAD
    + """rule turn
    choose one of
        option "stay"
        option "go"
    if openly(sum(c in me.left.hand: c.rank) > 2)
        do smile
rule smile
    log "{me.left} smiles"
""",
    "said openly by a value": HEAD
    + """value strong of p: Player = openly(sum(c in p.hand: c.rank) > 2)
rule turn
    choose one of
        option "stay"
        option "challenge" where me.left.strong
    if me.left.strong
        log "{me.left} smiles"
""",
    "options that are open": HEAD
    + """rule turn
    choose one of
        option "stay"
        do strike
action strike(p in players where p is not me and openly(any(c in p.hand where c.rank > 2)))
    add 1 to me.coins
""",
    "asked openly": HEAD
    + """rule turn
    if openly(sum(c in me.left.hand: c.rank) > 2)
        as me.left
            choose one of
                option "smile"
                option "frown"
    choose one of
        option "stay"
        option "go"
""",
    "openly more of them": HEAD
    + """player
    zone nest: set of Card, seen by owner except size
rule turn
    choose one of
        option "stay"
        option "go"
    if openly(sum(c in me.left.hand: c.rank) > 2)
        move up to 1 from deck to me.left.nest
""",
    "set off openly": HEAD
    + """rule turn
    choose one of
        option "stay"
        option "draw"
            move up to 1 from deck to me.hand
whenever openly(any(c in p.hand where c is two)) for p in players
    log "the two is drawn"
""",
    "permitted openly": HEAD
    + """rule turn
    choose one of
        option "stay"
        option "go"
anytime strike during turn where openly(any(c in me.left.hand where c is two))
action strike
    say "strike"
    set me.coins to 0
""",
    "passed over openly": HEAD
    + """rule turn
    for each n in 1..2
        if openly(any(c in me.left.hand where c.rank is n))
            skip
        choose one of
            option "stay"
            option "go"
""",
    "an end that depends on a secret": HEAD
    + """rule turn
    choose one of
        option "stay"
        option "go"
    if openly(any(c in me.left.hand where c is two))
        win me
        end game
""",
    "of a place that a branch lays open": HEAD
    + """rule turn
    choose one of
        option "stay"
        option "go"
    if possible
        choose card in me.hand where card.rank > 2
        move card to played
    otherwise
        log "{me} has no high card"
zone played: set of Card
""",
    "told by what could not be done twice": HEAD
    + """zone open: set of Card
rule turn
    if possible
        choose card in me.hand where card.rank > 2
        move card to open
    if possible
        choose card in me.hand where card.rank > 2
        move card to open
    otherwise
        log "{me} has none"
    choose one of
        option "stay"
""",
    "said as it is shown": HEAD
    + """rule turn
    choose one of
        option "stay"
        option "show"
            let card = me.hand.first
            show me.hand to players
            log "{me} holds {card}"
""",
    "a public die": HEAD
    + """rule turn
    roll n in 1..6
    log "{me} rolls {n}"
    choose one of
        option "stay"
        option "go" where n > 3
""",
    "a choice that the rules show": HEAD
    + """rule turn
    choose n in 1..3
    log "{me} says {n}"
    choose one of
        option "stay"
        option "go"
""",
    "said openly by an option": HEAD
    + """rule turn
    choose one of
        option "stay"
        option "claim {openly(sum(c in me.hand: c.rank))}"
""",
    "shown for a while": HEAD
    + """rule turn
    choose one of
        option "stay"
        option "go"
    move all from me.left.hand to table_cards
    log "{me.left} holds {table_cards.top}"
    move all from table_cards to me.left.hand
zone table_cards: pile of Card
""",
}
"""Games that reveal only permitted things, although they may look like leaks."""
