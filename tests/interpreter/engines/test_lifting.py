"""Searches for connected things that a loop would repeat are made once before the loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.lifting import lift_searches
from rulewright.interpreter.engines.analysis.procedures import walk
from rulewright.interpreter.engines.native.module import Module
from rulewright.interpreter.matches.game import load_game
from tests.interpreter.lockstep import Runners, lockstep

GAME = """
game "Stones"
    players 2

space Point grid 3 by 3
    state stone: Player or nothing

state rest: 0..9 = 3

{}
action place(point in Point where point.stone is nothing)
    set point.stone to me
    set rest to 9 / (1 + count(p in Point where p.stone is me))
    {}

play
    repeat 9 times
        each player
            if possible
                do place

score of p
    item "stones" = count(q in Point where q.stone is p)

winner p by p.total then shared
"""
LIBERTY = """
value is_free of p: Point =
    any(group in groups(q in Point where q.stone is p.stone: q.stone)
        where p in group and any(q in group, n in q.neighbors where n.stone is nothing))
"""
INSIDE = """
value is_inside of p: Point =
    any(area in groups(q in Point where q.stone is nothing: 1)
        where p in area and all(q in area, n in q.neighbors where n.stone is not nothing: n.stone is players.first))
"""
ODD = """
value is_odd of p: Point =
    any(area in groups(q in Point where q.stone is nothing and 9 / rest > 1: 1) where p in area)
"""


FREE = "any(area in groups(q in Point where q.stone is nothing: 1) where p in area)"
TAKEN = FREE.replace("is nothing", "is not nothing")


@pytest.mark.parametrize(
    ("value", "condition", "is_once"),
    [
        ("", f"count(p in Point where {FREE}) < 9", True),
        # each of two searches before one loop has its own result
        ("", f"count(p in Point where {FREE} and not {TAKEN}) > 4", True),
        (INSIDE, "count(p in Point where p.is_inside) < 5", True),
        # the compared value is the same for the items so far, but not for these
        (LIBERTY, "not any(p in Point where p.stone is me.left and not p.is_free)", True),
        (LIBERTY, "not any(p in Point where p.stone is not me and not p.is_free)", False),
        # an expression that can fail stays in its place
        (ODD, "count(p in Point where p.is_odd) < 9", False),
        # so does an expression outside a loop
        (LIBERTY, "point.is_free", False),
    ],
)
def test_groups_are_found_once_before_a_loop(
    tmp_path: Path, value: str, condition: str, is_once: bool
) -> None:
    path = tmp_path / "stones.game"
    path.write_text(GAME.format(value, f"needs {condition}"), encoding="utf-8")
    game = load_game(path)
    program = game.program(game.variant(2))
    found = lift_searches(program)
    once = [
        node.value
        for plain in found.plain[: len(program.plain)]
        for node in walk(plain.body)
        if isinstance(node, ir.SetLocal)
        and isinstance(node.value, ir.CallValue)
        and found.plain[node.value.procedure].name.startswith("groups")
    ]
    assert bool(once) == is_once
    runners = Runners(program)
    lockstep(runners, 1, 30)
    assert runners.native.handed_over == 0


WHOSE = """
value own = list(group in groups(q in Point where q.stone is not nothing: q.stone) where group.size > 1)
"""
LARGEST = """
    item "largest" = largest(group in own where any(q in group where q.stone is p): group.size)
"""


@pytest.mark.parametrize("players", [3, 4])
def test_groups_that_each_line_of_points_asks_for_are_found_once_for_all(
    tmp_path: Path, players: int
) -> None:
    path = tmp_path / "stones.game"
    text = GAME.format(WHOSE, "").replace("players 2", f"players {players}")
    path.write_text(text.replace("\nwinner", f"{LARGEST}\nwinner"), encoding="utf-8")
    game = load_game(path)
    variant = game.variant(players)
    runners = Runners(game.program(variant))
    asked = Module(runners.program).of_all_seats
    assert len(asked) == (players > 3)  # for a loop of three rounds this is not worth it
    for seed in range(3):
        lockstep(runners, seed, 60)
    found = game.results(range(20), players, engine="native")
    expected = game.results(range(20), players, engine="python")
    ends = [game.playout(seed, players) for seed in range(20)]
    assert found.points == expected.points
    assert found.totals == expected.totals
    assert [*found.totals] == [seat.total for end in ends for seat in end.scores.players]
    assert runners.native.handed_over == 0
