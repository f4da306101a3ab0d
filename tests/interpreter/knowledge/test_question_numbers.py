"""Native code computes the numbers in questions as the reference does, including sums and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.engines.kernels import sight
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.knowledge.observation import ASKED, HEAD
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.knowledge.question_numbers import question_rows
from rulewright.interpreter.matches.fastest import fastest

PAYING = """game "Paying"
    players 2

kind Good = cloth, salt

piece Stand
    price: 0..9
    row cloth_stand, 3
    row salt_stand, 5

zone fair: set of Stand

player
    state coins: 0..99 = 20

setup
    move all from Stand to fair

play
    repeat 4 times
        each player
            surely choose stand in fair
                prompt "{me.coins} coins, {me.left.coins * me.coins - 1} in all"
            add stand.price to me.coins
            choose one of prompt "take {stand.price + 1} of {me.coins}?"
                option "take"
                    add stand.price + 1 to me.coins
                option "leave"
"""


def test_numbers_in_questions_are_those_of_the_reference(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="native code reads them")
    path = tmp_path / "paying.game"
    path.write_text(PAYING, encoding="utf-8")
    game = load_game(path)
    compiled = fastest(game.compiled(game.variant()))
    assert isinstance(compiled.engine, NativeEngine)
    starts, steps = question_rows(compiled.program)
    kinds = {*steps[: 2 * starts[-1] : 2]}
    assert {sight.CELL, sight.TABLE, sight.PLUS, sight.TIMES, sight.REST} <= kinds
    assert sight.LEFT not in kinds
    observer, state, asked = observer_of(compiled), game.start(), set[tuple[int, ...]]()
    while not state.over:
        seen = observer.observe(state.cells, state.player)
        assert seen == observer.reference.observe(state.cells, state.player)
        asked.add(tuple(seen[HEAD : HEAD + ASKED]))
        state = state.take(state.option_ids[-1])
    assert len(asked) > 8
