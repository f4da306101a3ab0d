"""Generated Python agrees with the reference: on handwritten games, and on random programs."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dsl import ir
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.codegen import python
from rulewright.interpreter.engines.engine import Engine
from rulewright.interpreter.engines.reference import Reference
from tests.interpreter.games import breakthrough, connect_four, market
from tests.interpreter.lockstep import Runners, lockstep, plays_at_random
from tests.interpreter.programs import GLOBAL, Writer, c, cell, do, end_game, op, put, v
from tests.interpreter.random_programs import random_program


@pytest.mark.parametrize("game", [connect_four, breakthrough, market])
def test_shipped_games_play_the_same_on_every_engine(game: type) -> None:
    runners = Runners(game())
    for seed in range(3):
        played = lockstep(runners, seed, 300, refusals=seed == 0)
        assert played.fault is None
        assert played.cells[ir.OVER]
        assert plays_at_random(runners, seed, 1000)


SHAPES = [(1, 0), (37, 0), (1, 5), (3, 2000)]
"""The distance of cells, and the number of additional far cells."""


@settings(max_examples=settings().max_examples // 2)
@given(
    st.randoms(use_true_random=False), st.booleans(), st.integers(0, 100), st.sampled_from(SHAPES)
)
def test_random_programs_play_the_same_on_every_engine(
    random: Random, fails: bool, seed: int, shape: tuple[int, int]
) -> None:
    runners = Runners(random_program(random, fails, *shape))
    for offset in range(2):
        lockstep(runners, seed + offset, 40)
        plays_at_random(runners, seed + offset, 40)


@pytest.mark.deep
@given(st.randoms(use_true_random=False), st.booleans(), st.integers(0, 100))
def test_random_programs_in_optimised_native_code(random: Random, fails: bool, seed: int) -> None:
    runners = Runners(random_program(random, fails, 37), level=2)
    for offset in range(2):
        lockstep(runners, seed + offset, 40)


def nested_statements(depth: int, loops: bool) -> tuple[ir.Stmt, ...]:
    """Nested statements; the innermost can leave all of them."""
    body: tuple[ir.Stmt, ...] = (
        put(0, op(cell(0), "+", c(1))),
        ir.SetLocal(0, op(v(0), "+", c(1))),
        ir.SetLocal(2, op(v(0), "+", v(1))),
    )
    for level in range(depth):
        if loops:
            leave = ir.If(op(v(3 + level), "==", c(1)), (ir.Break(),))
            skip = ir.If(op(v(0), "==", c(9)), (ir.Continue(),))
            body = (ir.ForRange(3 + level, c(0), op(v(1), "+", c(1)), (leave, *body, skip)),)
        else:
            body = (ir.If(op(v(1), "<", c(level + 1)), body, (put(1, c(level)),)),)
    return body


def deep_expression(depth: int) -> ir.Expr:
    expression: ir.Expr = cell(0)
    for level in range(depth):
        if level % 3 == 0:
            expression = ir.Not(op(expression, "//", c(3)))
        elif level % 3 == 1:
            expression = op(c(1), "-", ir.Choice(op(expression, "<", c(2)), expression, cell(1)))
        else:
            expression = ir.At(ir.MakeList((cell(2), expression)), op(v(0), "-", c(level % 2)))
        if level % 7 == 0:
            expression = op(expression, "+", ir.CallValue(0, (expression,)))
    return expression


@pytest.mark.parametrize(("depth", "loops"), [(15, False), (90, False), (15, True), (30, True)])
def test_deep_nesting_plays_the_same_on_every_engine(depth: int, loops: bool) -> None:
    w = Writer()
    w.function(1, 1, ir.Return(op(v(0), "%", c(5))))
    counted = w.function(1, 60, *nested_statements(depth, loops), ir.Return(v(2)))
    returned = w.function(1, 60, *nested_statements(depth, loops)[:-1], *_returning(depth, loops))
    worked_out = w.function(1, 1, ir.Return(deep_expression(12)))
    effects = (
        *nested_statements(depth, loops),
        put(3, v(2)),
        put(4, ir.CallValue(worked_out, (c(1),))),
    )
    more = (ir.CallPlain(counted, (c(0),)), put(5, ir.CallValue(returned, (c(0),))))
    w.procedure(0, 60, [do(*effects), do(*more), end_game()])
    played = lockstep(w.program(stack=100), 1)
    assert played.fault is None
    assert played.cells[GLOBAL] > 0


def _returning(depth: int, loops: bool) -> tuple[ir.Stmt, ...]:
    """The same, but the innermost leaves them by Return."""
    body: tuple[ir.Stmt, ...] = (ir.Return(op(v(0), "+", c(77))),)
    for level in range(depth):
        loop = ir.ForEach(3 + level, c((4, 5)), body)
        body = (loop if loops else ir.If(op(v(0), "<", c(level + 1)), body),)
    return (*body, ir.Return(c(1)))


def test_a_state_goes_from_engine_to_engine_in_mid_action() -> None:
    program = market()
    engines: list[Engine] = [Reference(program), python.compile(program)]
    random = Generator.seeded(4)
    cells = engines[0].start()
    changes = 0
    while not cells[ir.OVER]:
        engine = engines[changes % 2]
        engine.run(cells)
        if cells[ir.OVER]:
            break
        options = engines[(changes + 1) % 2].options(cells)
        engine.answer(cells, options[random.below(len(options))])
        changes += 1
    assert changes > 20


def test_the_source_is_the_same_each_time() -> None:
    for game in (connect_four, breakthrough, market):
        assert python.compile(game()).source == python.compile(game()).source
