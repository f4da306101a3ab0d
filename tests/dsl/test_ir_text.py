"""The code of a program as text can be read back, and other text is refused."""

from __future__ import annotations

from typing import get_args

import pytest

from rulewright.dsl import ir
from rulewright.dsl.ir_text import Code, code_text, parse_code, parse_expression, parse_steps
from rulewright.dsl.tree.nesting import fields_of
from tests.games.variants import EVERY_GAME, LONG, game_named

TEXT = '''\
def p0(v0, *, v1, v2):
    """count"""
    v1 = []
    for v2 in through(0, v0 - 1):
        if cell[8 + v2] > 3 and (not far[v2]):
            v1.append(-1 if v2 in (1, 2) else table0[v2])
        elif v0 == 1 or p1():
            continue
        else:
            break
    for v2 in v1:
        offer(v2)
        refuse(v2, 1, [v0])
    log(2, [min(v0, 2), len(v1)], -1)
    mark(1)
    mark(2, v1[0])
    return v1

def p1():
    """wrong"""
    while counted(possible(0, [5], 1)):
        p1()
    while cell[8]:
        fail(3, [])
    raise fault(0)

def b0():
    finish()

def q0(v0, *, v1):
    """main"""

    def b2():
        items1 = kept([1, v0], 4)
        cell[8] = items1[0]
        far[1] = 2
        choose(0, 1, 0, 3)

    def b1():
        end_game()

    def b3():
        chance(0, 6, 1, 4)

    def b4():
        branch(v0 % 2, 5, 6)

    def b5():
        call(0, [1, 2], 6)

    def b6():
        attempt(7, 1, 0)

    def b7():
        enter(8)

    def b8():
        leave(9)

    def b9():
        goto(1)
'''


def kinds(node: object) -> set[type]:
    """The kinds of nodes in a part of a program."""
    if isinstance(node, tuple):
        return {kind for part in node for kind in kinds(part)}
    if not hasattr(node, "__attrs_attrs__"):
        return set()
    inside = {kind for name in fields_of(type(node)) for kind in kinds(getattr(node, name))}
    return {type(node)} | inside


def test_a_text_is_written_as_it_was_read() -> None:
    assert code_text(parse_code(TEXT)) == TEXT


def test_the_text_has_every_node() -> None:
    found = kinds(parse_code(TEXT).blocks) | kinds(parse_code(TEXT).plain)
    assert found >= {*get_args(ir.Expr), *get_args(ir.Stmt), *get_args(ir.Terminator)}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.deep] if n in LONG else []) for n in EVERY_GAME]
)
def test_games_read_back_as_the_same_code(name: str) -> None:
    game = game_named(name)
    program = game.program(game.variant())
    read = parse_code(code_text(program))
    assert read == Code(program.plain, program.suspending, program.blocks)


@pytest.mark.parametrize("text", ["v0 = 'a'", "v0 += 1", "end_game()", "x: int = 1", "p0.y = 2"])
def test_wrong_steps_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not understood"):
        parse_steps(text)


@pytest.mark.parametrize("text", ["offer(1)", "v0[1:2]", "{}", "p0.x(1)", "1 < v0 < 2"])
def test_wrong_values_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not understood"):
        parse_expression(text)
