"""Offers of an action depend on its head, on whether it can fail, and on its result; other edits affect only the
action.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editing.test_reuse import compare_edits

OFFERED = """\
game "Offered"
    players 2
option rich = no, yes
player
    state coins: 0..99
    state stones: 0..99
kind Good = tea, silk
value few of p: Player = if p.coins > 3 then 2 else 1
action buy(n in 1..me.few where n < 9, g in Good where g is tea)
    say "buy {n}"
    needs me.coins > 2 else "too poor for {n}"
    do pay_for(n)
    add n to me.stones
rule pay_for(n: 1..9)
    needs me.coins >= n else "too poor"
    pay n from me.coins
action sell
    needs me.stones > 0
    lose 1 from me.stones
action dig
    add 1 to me.stones
rule turn
    choose one of
        do buy
        do sell
        do dig
rule trade
    if possible
        do pay_for(1)
    otherwise
        add 1 to me.coins
play
    each player
        do turn
        do trade
        if rich
            do trade
    end game
winner p by p.coins then shared
"""
PAID = {"rule pay_for", "rule buy", "rule trade"}


@pytest.mark.parametrize(
    ("old", "new", "wanted", "reported"),
    [
        # The questions, texts and steps of an action affect only the action.
        ("me.coins > 2 else", "me.coins > 3 else", {"rule buy"}, None),
        ('else "too poor for {n}"', 'else "too poor: {n}"', {"rule buy"}, None),
        ('say "buy {n}"', 'say "take {n}"', {"rule buy"}, None),
        ('    needs me.coins >= n else "too poor"\n', "", {"rule pay_for"}, None),
        (
            "needs me.coins >= n",
            "needs me.coins >= n + me.money",
            {"rule pay_for"},
            "unknown-attribute",
        ),
        # Its ability to fail, its changes and its parameters affect other rules, too.
        ("    add n to me.stones\n", "", {"rule buy", "rule turn"}, None),
        (
            "action dig\n",
            "action dig\n    needs me.coins > 0\n",
            {"rule dig", "rule turn"},
            "empty-choice",
        ),
        ("    needs me.stones > 0\n    lose 1", "    lose 1", {"rule sell", "rule turn"}, None),
        ("pay_for(n: 1..9)", "pay_for(n: 2..9)", PAID, "out-of-range"),
        ("where n < 9", "where n < 8", {"rule buy", "rule turn"}, None),
        ("g in Good where g is tea", "g in Good", {"rule buy", "rule turn"}, "unused-name"),
        ("n in 1..me.few", "n in 1..me.coins * 30", {"rule buy", "rule turn"}, "too-many-options"),
        ("p.coins > 3 then 2", "p.coins > 3 then 3", {"rule buy", "rule turn"}, None),
    ],
)
def test_of_an_action_who_offers_it_sees_its_head(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    old: str,
    new: str,
    wanted: set[str],
    reported: str | None,
) -> None:
    compare_edits(monkeypatch, tmp_path / "offered.game", (OFFERED, old, new), wanted, reported)
