"""A game is compiled to native code once, whatever its players are called."""

from __future__ import annotations

import pytest

from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.matches.fastest import fastest
from tests.games.variants import game_named


@pytest.mark.skipif("native" not in engine_names(), reason="needs llvmlite")
def test_games_with_other_names_of_players_share_native_code() -> None:
    game = game_named("tic_tac_toe")
    plain = game.compiled(game.variant())
    found = [fastest(plain.with_names(names)) for names in ({}, {0: "Ann"}, {0: "Ann", 1: "Bob"})]
    assert len({each.engine for each in found}) == 1
    assert [each.words.players[0] for each in found] == ["player 1", "Ann", "Ann"]
    native = game.compiled(game.variant(), "native")
    assert fastest(native) is native
