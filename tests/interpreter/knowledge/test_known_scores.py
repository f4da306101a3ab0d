"""A score item that the compiler calls open depends on nothing hidden; others are tested in each state."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import State, load_game
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.known import hidden_in
from rulewright.interpreter.knowledge.known_scores import known_scores
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.rendering import boards_in
from tests.games.variants import EVERY_GAME, LARGE, game_named

GAME = """game "Sheet"
    players 2
piece Card
    rank: 1..9
    row one, 1
    row two, 2
zone deck: pile of Card, seen by nobody
zone table: pile of Card
player
    state coins: 0..9 = 2
    state secret: 0..9, seen by owner
    zone hand: set of Card, seen by owner
setup
    move all from Card to deck
value wealth of p: Player = p.coins
value worth of p: Player = p.wealth + p.secret
play
    each player
        choose one of
            option "stop"
                end game
score of p
    item "points" = {item}
winner p by p.total
"""


@pytest.mark.parametrize(
    ("item", "is_open"),
    [
        ("3", True),
        ("p.coins", True),
        ("p.wealth", True),
        ("p.worth", False),
        ("p.secret", False),
        ("table.size", True),
        ("sum(c in table: c.rank)", True),
        ("p.hand.size", False),
        ("sum(c in p.hand: c.rank)", False),
        ("count(c in Card where c.holder is p)", False),
        ("(if table.size > 0 then 1 else 0)", True),
    ],
)
def test_open_items_of_a_score_are_known(tmp_path: Path, item: str, is_open: bool) -> None:
    file = tmp_path / "sheet.game"
    file.write_text(GAME.replace("{item}", item), encoding="utf-8")
    (found,) = load_game(file).start().compiled.program.score
    assert found.is_open is is_open


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY_GAME)
def test_open_items_read_nothing_hidden(name: str) -> None:
    game = game_named(name)
    state = game.start(game.facts.high, seed=3)
    items = [item for item in state.compiled.program.score if item.is_open]
    if not items or not state.compiled.viewer.has_secrets:
        return
    generator, looks = Generator.seeded(3), 2 if name in LARGE else 6
    for _ in range(looks):
        for _ in range(9):
            if state.over:
                return
            state = state.take(state.option_ids[generator.below(len(state.option_ids))])
        reference = Reference(state.compiled.program)
        for seat in range(min(2, len(state.players))):
            for item in items:
                assert _hidden_part(state, reference, item.procedure, seat, viewer=-1) == ""


def _hidden_part(state: State, reference: Reference, procedure: int, seat: int, viewer: int) -> str:
    compiled, cells = state.compiled, state.cells
    try:
        return hidden_in(compiled, reference, cells, procedure, viewer, arguments=(seat,))
    except RuleFault:  # some rules can count points only at the end
        return ""


def test_hidden_points_are_not_known() -> None:
    state = load_game("ginkgopolis").start(players=3, seed=1)
    seen = dict(known_scores(state.compiled, state.cells, 0)[1].items)
    assert seen["points"] is None
    assert seen["districts"] == 0


@pytest.mark.parametrize("name", ["reversi", "equilibris", "night_market"])
def test_public_boards_are_the_same_for_all(name: str) -> None:
    state = game_named(name).start(seed=1)
    for _ in range(4):
        state = state.choose(state.decision.names[0])
        for seat in range(len(state.players)):
            view = state.view(seat)
            alone = boards_in(state.compiled, state.cells, view, seat)
            assert boards_in(state.compiled, state.cells, view, seat, state.public_view) == alone
