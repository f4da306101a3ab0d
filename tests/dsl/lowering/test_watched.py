"""After which steps a watched number is looked at: only where a step may change what it looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl import ir
from rulewright.dsl.loading.loading import load
from rulewright.dsl.tree.nesting import walk
from rulewright.interpreter.plays.game import game_of

RULES = """game "Watched"
    players 2

piece Badge
    power: 0..3
    stars: 0..3
    row crown, 2, 1
    row shield, 1, 2
piece Stone
    row red
    row blue

zone deck: set of Stone
zone row: set of Stone
zone chest: set of Badge
player
    zone hand: set of Stone
    zone badges: set of Badge
    state stars: 0..9 = 5
    state seen: 0..99

power badge: Badge in p.badges
    modify p.strength more badge.power + badge.stars
open value strength of p: Player = 0
value shelf of p: Player = p.badges
whenever p.strength changes by d for p in players
    add 1 to p.seen

setup
    move all from Stone to deck
    move all from Badge to chest

play
    repeat until deck is empty
        each player
            choose one of
                do act
                option "pass"
                    move all from deck to row
action act
    {step}
score of p
    item "seen" = p.seen + p.stars
winner p by p.total then shared
"""


def looks_after(folder: Path, step: str) -> list[tuple[ir.Stmt, ...]]:
    """The blocks of an action with this step in which the watched number is looked at."""
    path = folder / "watched.game"
    path.write_text(RULES.replace("{step}", step), encoding="utf-8")
    game = game_of("watched", load(path))
    program = game.variant(game.setting(2)).program
    watching = {n for n, plain in enumerate(program.plain) if plain.name.startswith("watch line")}
    assert len(watching) == 1
    acting = {n for n, rule in enumerate(program.suspending) if rule.name == "act"}
    steps = [
        *(block.body for block in program.blocks if block.procedure in acting),
        *(plain.body for plain in program.plain if plain.name == "act"),
    ]
    assert steps
    steps += [
        part
        for loop in walk(steps)
        if isinstance(loop, ir.If | ir.ForEach)
        for part in ((loop.then, loop.otherwise) if isinstance(loop, ir.If) else (loop.body,))
    ]
    return [
        block
        for block in steps
        if any(isinstance(step, ir.CallPlain) and step.procedure in watching for step in block)
    ]


@pytest.mark.parametrize(
    "step",
    [
        "move 1 from chest to me.badges",
        "move 1 from me.badges to chest",
        "move all from me.badges to chest",
        "for each badge in me.badges\n        move badge to chest",
        "move all from me.shelf to chest",
    ],
)
def test_a_step_that_may_change_the_number_is_followed_by_a_look(tmp_path: Path, step: str) -> None:
    assert looks_after(tmp_path, step)


@pytest.mark.parametrize(
    "step",
    [
        "for each stone in deck\n        move stone to me.hand",
        "move all from me.hand to row",
        # The column of a card has the name of what a player has.
        "pay 1 from me.stars\n    move all from me.hand to row",
    ],
)
def test_other_steps_are_not(tmp_path: Path, step: str) -> None:
    assert looks_after(tmp_path, step) == []


def test_where_a_piece_is_moved_from_wherever_it_lies_this_is_asked(tmp_path: Path) -> None:
    (looked,) = looks_after(tmp_path, "for each badge in Badge\n        move badge to chest")
    assert len(looked) == 1  # it stands alone below the question
    (looked,) = looks_after(tmp_path, "for each badge in Badge\n        move badge to me.badges")
    assert len(looked) > 1


def test_positions_are_equal_wherever_a_piece_came_from(tmp_path: Path) -> None:
    text = (
        RULES.partition("play\n")[0]
        + """play
    repeat 3 times
        as ann
            choose n in 1..2
            for each stone in row
                move stone to deck
            for each badge in Badge where badge.stars is 2
                if n is 1
                    move badge to chest
                else
                    move badge to box
score of p
    item "seen" = p.seen + p.stars
winner p by p.total then shared
"""
    )
    text = text.replace("    players 2", "    players 1").replace("as ann", "as first_player")
    text = text.replace("zone chest", "zone box: set of Badge\nzone chest")
    text = text.replace("as first_player", "each player")
    path = tmp_path / "watched.game"
    path.write_text(text, encoding="utf-8")
    game = game_of("watched", load(path))
    ends = []
    for first in ("1", "2"):
        state = game.start(players=1)
        for choice in (first, "1"):
            state = state.choose(choice)
        ends.append(state.cells)
    assert ends[0] == ends[1]
