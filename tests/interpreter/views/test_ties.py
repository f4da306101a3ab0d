"""The end of a game names the key that breaks a tie in the first key."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import load_game

TEXT = """game "Fair"
    players 2..4
player
    state coins: 0..50 = 4
    state debt: 0..50
    state has_crown: Flag
play
    each player
        choose one of
            option "borrow"
                add 2 to me.debt
            option "crown"
                set me.has_crown to yes
            option "earn"
                add 1 to me.coins
            option "be named"
                win me
            option "leave"
                eliminate me
            option "rest"
    end game
score of p
    item "coins" = p.coins
"""
BY = "winner p by p.total, p.debt lowest, p.has_crown"


def lines(tmp_path: Path, winner: str, chosen: str, names: str = "") -> tuple[list[str], int]:
    path = tmp_path / "fair.game"
    path.write_text(f"{TEXT}{winner}\n", encoding="utf-8")
    game = load_game(path)
    words = chosen.split()
    state = game.start(len(words))
    for word in words:
        assert state.tie() == []
        state = state.choose(word)
    assert state.over
    return state.tie(names.split()), len(state.winners)


@pytest.mark.parametrize(
    ("chosen", "logged"),
    [
        ("earn rest", []),
        ("rest borrow", ["ann and bob are equal in total: 4", "lowest debt: ann 0, bob 2"]),
        (
            "crown rest borrow",
            [
                "ann, bob and cleo are equal in total: 4",
                "lowest debt: ann 0, bob 0, cleo 2",
                "has crown: ann yes, bob no",
            ],
        ),
        (
            "earn crown earn",
            [
                "ann and cleo are equal in total: 5",
                "lowest debt: ann 0, cleo 0",
                "has crown: ann no, cleo no",
            ],
        ),
        ("rest rest be_named", []),
        ("rest leave borrow", ["ann and cleo are equal in total: 4", "lowest debt: ann 0, cleo 2"]),
    ],
)
def test_each_key_is_reported_until_one_decides(
    tmp_path: Path, chosen: str, logged: list[str]
) -> None:
    found, winners = lines(tmp_path, f"{BY} then shared", chosen, "ann bob cleo"[:12])
    assert found == logged
    assert winners == (2 if chosen == "earn crown earn" else 1)


def test_a_draw_tells_that_all_is_equal(tmp_path: Path) -> None:
    logged = [
        "player 1 and player 2 are equal in total: 4",
        "lowest debt: player 1 0, player 2 0",
        "has crown: player 1 no, player 2 no",
    ]
    assert lines(tmp_path, BY, "rest rest") == (logged, 0)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("p.item(coins)", "highest coins"),
        ("p.coins - p.debt", "highest coins - debt"),
        (
            "count(q in players where q.debt > p.debt) lowest",
            "lowest count(q in players where q.debt > debt)",
        ),
    ],
)
def test_a_key_is_reported_in_the_words_it_is_written_with(
    tmp_path: Path, key: str, words: str
) -> None:
    found, _ = lines(tmp_path, f"winner p by p.total, {key} then shared", "rest rest")
    assert found[1].partition(":")[0] == words


def test_one_key_needs_no_words(tmp_path: Path) -> None:
    assert lines(tmp_path, "winner p by p.total then shared", "rest rest") == ([], 2)


SIDES = """kind Pair = north, south
side of p: Pair = if mod(p.number, 2) is 1 then north else south
"""


def test_partners_are_not_distinguished(tmp_path: Path) -> None:
    assert lines(tmp_path, f"{SIDES}{BY} then shared", "earn rest earn rest") == ([], 2)
