"""Nested choices are tested in advance as long as that takes few steps; beyond that they are searched."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl import ir
from rulewright.dsl.loading.loading import load
from rulewright.dsl.tree.nesting import walk
from rulewright.interpreter.matches.game import Game, game_of
from tests.interpreter.lockstep import Runners, lockstep

TEXT = """game "Sums"
    players 2
    depth 3
player
    state coins: 0..99 = 3
action collect
{steps}
    pay 1 from me.coins
play
    each player
        choose one of
            do collect
            option "wait"
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def sums(folder: Path, choices: int, end: str) -> Game:
    """A game with an action of this many choices, one after the other."""
    names = [f"n{number}" for number in range(choices)]
    steps = [f"    choose {name} in 1..2" for name in names]
    steps.append(end.format(total=" + ".join(names), last=names[-1]))
    path = folder / "sums.game"
    path.write_text(TEXT.format(steps="\n".join(steps)), encoding="utf-8")
    return game_of("sums", load(path))


def length(game: Game) -> int:
    """The number of expressions and steps in a program."""
    program = game.program(game.variant(2))
    bodies = (*(plain.body for plain in program.plain), *(block.body for block in program.blocks))
    return sum(1 for part in walk(bodies) if not isinstance(part, ir.Const))


@pytest.mark.parametrize(
    "end",
    ["    needs {total} >= 9", "    needs {total} >= 9\n    if {last} is 2\n        do collect"],
)
def test_a_program_does_not_grow_faster_than_its_choices(tmp_path: Path, end: str) -> None:
    few, many = (length(sums(tmp_path, choices, end)) for choices in (8, 16))
    assert many < 3 * few


@pytest.mark.parametrize("choices", [5, pytest.param(7, marks=pytest.mark.deep)])
def test_only_completable_choices_are_offered(tmp_path: Path, choices: int) -> None:
    game = sums(tmp_path, choices, f"    needs {{total}} >= {2 * choices - 1}")
    runners = Runners(game.program(game.variant(2)))
    lockstep(runners, 0, 6, refusals=False)
    state = game.start(2).choose("collect")
    taken = 0
    while len(state.decision.names) > 1 and state.player == 0:
        state = state.choose("1")
        taken += 1
    assert taken == 1  # one of them may be a 1; then all others are a 2
