"""Unions of types: messages for unknown members, without their consequences."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """\
game "Little"
    players 2
piece Coin
    copies = 2
    row crown
    row florin
{unions}
zone bag: pile of Thing
zone sack: pile of Thing
state kept: Thing or nothing
player
    zone hand: set of Thing
value worth of t: Thing = t.copy
rule put(t: Thing)
    move t to bag
    set kept to t
board Place
    show "{cell.x}"
play
    for each t in Thing
        log "{t.copy} {t.holder} {t.worth} {count(u in Thing where u is t)} {Thing.size}"
        do put(t)
    for each p in Place
        log "{p.x}"
    for each c in Coin where c in Thing
        move c to bag
    each player
        choose one of
            do take
            option "pass"
                skip
    for each t in bag
        move t to sack
    log "{bag.top.copy}"
    end game
action take(t in Thing)
    say "take {t}"
    move t to me.hand
whenever card enters bag
    log "{card} {card.copy}"
score of p
    item "coins" = sum(t in p.hand: t.copy) + sum(t in Thing: t.copy)
winner p by p.total then shared
"""
PLACES = "space Place grid 2 by 2"


def problem_lines(folder: Path, unions: str) -> list[str]:
    path = folder / "little.game"
    path.write_text(GAME.replace("{unions}", unions), encoding="utf-8")
    return [f"{found.code} {found.span.text}: {found.message}" for found in load(path).check()]


@pytest.mark.parametrize(
    ("unions", "said"),
    [
        (
            f"piece Thing is Card or Tile\n{PLACES}",
            [
                "unknown-type Card: there is no piece `Card`",
                "unknown-type Tile: there is no piece `Tile`",
            ],
        ),
        (
            f"piece Thing is Coin or Card\n{PLACES}",
            ["unknown-type Card: there is no piece `Card`"],
        ),
        (
            f"piece Thing is Other or Coin\npiece Other is Coin or Card\n{PLACES}",
            ["unknown-type Card: there is no piece `Card`"],
        ),
        (
            f"piece Thing is Thing or Coin\n{PLACES}",
            ["wrong-type Thing: `Thing` cannot be a part of itself"],
        ),
        (
            f"piece Thing is Other or Coin\npiece Other is Thing or Coin\n{PLACES}",
            ["wrong-type Thing: `Thing` cannot be a part of itself"],
        ),
        (
            f"piece Thing is Suit or Place\nkind Suit = cups, coins\n{PLACES}",
            [
                "wrong-type Suit: `Suit` is not a kind of piece",
                "wrong-type Place: `Place` is not a kind of piece",
            ],
        ),
        (
            "piece Thing is Coin or Token\npiece Token\nspace Place is Here or There",
            [
                "unknown-type Here: there is no space `Here`",
                "unknown-type There: there is no space `There`",
            ],
        ),
    ],
)
def test_members_that_are_not_known(tmp_path: Path, unions: str, said: list[str]) -> None:
    assert problem_lines(tmp_path, unions) == said


def test_unions_of_unions_in_any_order(tmp_path: Path) -> None:
    unions = (
        f"piece Thing is Metal or Card\npiece Metal is Coin or Bar\npiece Bar\npiece Card\n{PLACES}"
    )
    assert problem_lines(tmp_path, unions) == []
