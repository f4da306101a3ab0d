"""What the compiler works out beforehand is what the reference interpreter says."""

from __future__ import annotations

import pytest

from rulewright.dsl.lowering.printed import printed_value
from rulewright.interpreter.reference import Reference
from tests.games.settings import EVERY_GAME, game_named, settings

LEAST = {"night_market": 1, "ginkgopolis": 8}


@pytest.mark.parametrize("name", EVERY_GAME)
def test_procedures_without_parameters(name: str) -> None:
    game = game_named(name)
    program = game.program(next(settings(game)))
    reference = Reference(program)
    cells = reference.start()
    found = 0
    for number, procedure in enumerate(program.plain):
        if procedure.parameters:
            continue
        value = printed_value(program, number)
        if value is None:
            continue
        found += 1
        assert value == reference.value(cells, number, ())
    assert found >= LEAST.get(name, 0)
